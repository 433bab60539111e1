// Everything besides parameters and moments that a run needs to go on exactly. There is no
// generator to save: the order of the data is a function of (seed, epoch), a dropout mask one of
// (seed, update).
#pragma once

#include <cstdint>
#include <string>

#include "config/config.h"
#include "text/corpus.h"
#include "train/schedule.h"
#include "train/validation_metric.h"

namespace heed {

struct TrainingState {
  int64_t update = 0;
  int64_t epoch = 0;            // epochs completed
  int64_t position = 0;         // batches done in the present epoch
  uint64_t data_order = 0;      // what `position` counts in: see data_order()
  int64_t target_tokens = 0;    // seen so far, with </s>
  double minutes = 0;           // from the command on, over all starts
  int64_t last_validation = 0;  // the update of the last one
  std::string metric;           // what the values below are of
  BestValue saved;              // of the model in best.heed
  // Of the validations every train.valid_every updates only. The one at the end of a run is not
  // among them, or a run that was stopped and went on would end otherwise than one in one go.
  BestValue regular;
  ScheduleState schedule;
  std::string optimizer;
  int64_t optimizer_steps = 0;
  bool operator==(const TrainingState&) const = default;
};

// A number that changes when batches would come in another order: with the corpus, the seed, the
// batch options.
uint64_t data_order(const Corpus& corpus, const BatchOptions& options, uint64_t seed);

// As JSON; doubles read back as the same bits. parse: UserError "PATH: damaged: training_state
// ...".
std::string to_json(const TrainingState& state);
TrainingState parse_training_state(const std::string& json, const std::string& path);

}  // namespace heed
