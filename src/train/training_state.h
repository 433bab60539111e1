// Everything besides parameters and moments that a run needs to go on exactly. No state of a random
// generator is saved: the order of the data is a function of (seed, epoch), and a dropout mask one
// of (seed, update).
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
  uint64_t data_order = 0;      // the order that `position` refers to: see data_order()
  int64_t target_tokens = 0;    // seen so far, with </s>
  double minutes = 0;           // from the start of the command, over all starts
  int64_t last_validation = 0;  // its update
  std::string metric;           // train.metric, which the values below are of
  BestValue saved;              // of the model in best.heed
  // Of the validations every train.valid_every updates. The validation at the end of a run does not
  // count here: otherwise a run that is stopped and resumed would differ from one without a stop.
  BestValue regular;
  ScheduleState schedule;
  std::string optimizer;
  int64_t optimizer_steps = 0;
  bool operator==(const TrainingState&) const = default;
};

// A hash of all that the order of the batches depends on: the corpus, the batch options, the seed.
uint64_t data_order(const Corpus& corpus, const BatchOptions& options, uint64_t seed);

// As JSON. Doubles are read back with the same bits. parse_training_state throws UserError
// "PATH: damaged: training_state ...".
std::string to_json(const TrainingState& state);
TrainingState parse_training_state(const std::string& json, const std::string& path);

}  // namespace heed
