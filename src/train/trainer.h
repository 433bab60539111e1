// The training loop: which update, report, validation or save comes next.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "nn/model.h"
#include "text/batch_reader.h"
#include "text/corpus.h"
#include "text/length_batches.h"
#include "train/checkpoint.h"
#include "train/run_clock.h"
#include "train/schedule.h"
#include "train/training_limits.h"
#include "train/training_reports.h"
#include "train/training_saves.h"
#include "train/training_state.h"
#include "train/update.h"
#include "train/validation_metric.h"

namespace heed {

// What a run works with. Nothing is owned; all must outlive the Trainer.
struct TrainingJob {
  CheckpointContents contents;  // config, vocabularies, and the model with gradients
  const Corpus& corpus;
  // Gives the figures of the model as it is after `update`. Empty: no validation; best.heed is then
  // the last model.
  std::function<ValidationFigures(int64_t update)> validate;
  // Asked after every update; true ends the run with everything saved. Empty: never.
  std::function<bool()> stop_requested;
  bool show_progress = false;  // a redrawn line on a terminal in place of log lines
  // Minutes are counted from here: reading the text before the first update counts too.
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

class Trainer {
 public:
  // Writes into job.contents.config.run.dir, which exists: best.heed, last.heed, log.jsonl. If
  // there is a last.heed, the model must be the one of load_model(last.heed, true), and the
  // training state is read here: N updates and then N more give the same bits as 2 N at once.
  // Throws UserError as load_training_state does.
  explicit Trainer(const TrainingJob& job);

  // Trains until a limit is reached, and returns what ended the run, as the log says it:
  // "train.epochs = 20 reached", "no better bleu in 5 validations (best 21.3 at update 4000)",
  // "stopped by signal, run again to go on". Throws UserError if the loss or the gradient is not
  // finite; best.heed and last.heed then stay as they were.
  std::string run();

  const TrainingState& state() const { return state_; }

 private:
  const TrainConfig& settings() const { return job_.contents.config.train; }
  int64_t epoch_number() const;  // 1-based, of the last update
  double epoch_share() const;    // how much of the present epoch is done
  RunPosition position() const;
  double rate_of(int64_t update) const;
  // False after a run that was killed between its last update and the end of run().
  bool end_is_saved() const;
  std::string do_nothing(const ReachedLimit& limit);
  // Makes one update and what is due after it; returns what ends the run, or "".
  std::string train_next();
  void train_batch(const Batch& batch, std::chrono::steady_clock::time_point start);
  [[noreturn]] void fail_not_finite(const GradientFigures& figures, double learning_rate) const;
  void after_update();
  void validate(bool regular);
  void save_last();
  void finish(const std::string& reason);

  TrainingJob job_;
  const ValidationMetric& metric_;
  BatchOptions batch_options_;
  Updater updater_;
  Schedule schedule_;
  TrainingLimits limits_;
  TrainingSaves saves_;
  TrainingState state_;
  RunClock clock_;
  bool resumed_ = false;
  bool restarted_epoch_ = false;            // see ResumedTraining; until the next update
  std::optional<BatchReader> reader_;       // while run() trains
  std::optional<TrainingReports> reports_;  // from then on
  int64_t pairs_done_ = 0;                  // in the present epoch
  bool has_begun_ = false;                  // this start has fetched its first batch
};

}  // namespace heed
