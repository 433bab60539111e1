// The training loop: updates, reports, validation, checkpoints, limits and going on where a run
// stopped.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "nn/model.h"
#include "tensor/arena.h"
#include "text/batch_reader.h"
#include "text/corpus.h"
#include "train/checkpoint.h"
#include "train/metric.h"
#include "train/optimizer.h"
#include "train/progress.h"
#include "train/run_log.h"
#include "train/schedule.h"
#include "train/training_state.h"
#include "train/weight_average.h"

namespace heed {

// What a run works with. Nothing is owned; all must outlive the Trainer.
struct TrainingJob {
  CheckpointParts parts;  // config, vocabularies, and the model with gradients
  const Corpus& corpus;
  // Figures of the model as it is after `update`. Empty: no validation; best.heed is then the last
  // model.
  std::function<ValidationFigures(int64_t update)> validate;
  // Asked after every update; true ends the run with everything saved. Empty: never.
  std::function<bool()> stop_requested;
  bool show_progress = false;  // a redrawn line on a terminal in place of a log line a report
  // From when on minutes are counted: what comes before the first update takes its time too.
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

class Trainer {
 public:
  // Writes into job.parts.config.run.dir, which exists: best.heed, last.heed, log.jsonl. When there
  // is a last.heed, the model is the one of load_model(last.heed, true), and its training state is
  // read here: N updates and then N more give the same bits as 2 N in one go. Throws UserError as
  // load_training_state does.
  explicit Trainer(const TrainingJob& job);

  // Trains until a limit is reached; the log and the result name it: "train.epochs = 20 reached",
  // "no better bleu in 5 validations (best 21.3 at update 4000)", "stopped by signal, run again to
  // go on". Throws UserError when the loss or the gradient is not finite; best.heed and last.heed
  // stay as they were.
  std::string run();

  const TrainingState& state() const { return state_; }
  const Optimizer& optimizer() const { return *optimizer_; }
  std::string best_path() const;
  std::string last_path() const;

 private:
  using Clock = std::chrono::steady_clock;

  // Sums over the updates since the last report.
  struct Window {
    double loss = 0, cross_entropy = 0, seconds = 0;
    int64_t tokens = 0, positions = 0, real_positions = 0;
  };

  const TrainConfig& settings() const { return job_.parts.config.train; }
  void resume();
  void resume_data_order();
  std::string limit_reached() const;  // "" while there is more to do
  std::string nothing_to_do(const std::string& reason) const;
  int64_t epoch_number() const;  // 1-based, of the last update
  // Whether a run at its limit has been validated and has its best.heed; false where it was killed
  // just before that.
  bool end_is_saved() const;
  // Parts of the limits that are behind, the greatest; -1 without a limit. The planned one counts
  // updates and epochs, and no clock.
  double planned_fraction() const;
  double fraction_done() const;
  double rate_of(int64_t update) const;
  double minutes_now() const;
  std::string train_next();
  void train_batch(const Batch& batch);
  void check_finite(double loss, double norm, double learning_rate) const;
  void after_update();
  void report();
  void show_progress();
  void validate(bool regular);
  template <typename Save>
  void save(Save write);
  void save_best();
  void save_last();
  void finish(const std::string& reason);

  TrainingJob job_;
  const Metric& metric_;
  BatchOptions batch_options_;
  std::unique_ptr<Optimizer> optimizer_;
  WeightAverage average_;
  Schedule schedule_;
  TrainingState state_;
  bool resumed_ = false;
  bool restarted_ = false;     // the present epoch from its beginning, since its data changed
  int64_t saved_update_ = -1;  // the update that last.heed is of
  std::optional<BatchReader> reader_;  // while run() trains
  int64_t pairs_done_ = 0;             // in the present epoch
  std::unique_ptr<RunLog> log_;
  Progress progress_;
  Arena arena_;
  Window window_;
  double last_norm_ = 0, last_rate_ = 0;
  Clock::time_point started_;
  double minutes_before_ = 0;              // of earlier starts
  std::optional<double> fraction_before_;  // done when this start began
};

}  // namespace heed
