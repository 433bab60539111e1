// What a run reports while it trains: log.jsonl, lines of the log, and the progress line.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "text/batch.h"
#include "train/gradients.h"
#include "train/log_writer.h"
#include "train/progress.h"

namespace heed {

// How far a run has come.
struct RunPosition {
  int64_t update = 0, epoch = 0;  // epoch: 1-based, of the last update
  double minutes = 0;             // of the whole run so far, over all starts
  double fraction = 0;            // done, 0 to 1; negative if the run has no limit
};

class TrainingReports {
 public:
  // Appends to the log at `log_path` as LogWriter does, and throws as it does. `show_progress`:
  // training is reported on a redrawn line instead of in the log.
  TrainingReports(const std::string& log_path, int64_t update, bool show_progress)
      : log_(log_path, update), progress_(show_progress) {}

  // How much of the run was done before its first update of this start: the seconds left are
  // estimated from what is done since.
  void set_first_fraction(double fraction) { first_fraction_ = fraction; }

  // Counts an update. `seconds`: what it took, waiting for its batch included.
  void add(const Batch& batch, const GradientFigures& figures, double learning_rate,
           double seconds);
  // Reports the updates that were added since the last report, if there are any.
  void report(const RunPosition& at);
  // Redraws the progress line if it is shown and due.
  void show_progress(const RunPosition& at);
  void clear_progress() { progress_.clear(); }  // before anything else is written to the terminal

  // `best` describes the best value so far: "best bleu 21.30 at update 4000".
  void report_validation(const ValidationReport& report, const std::string& best);

 private:
  // Sums over the updates since the last report.
  struct ReportSums {
    double loss = 0, cross_entropy = 0, seconds = 0;
    int64_t tokens = 0;                         // real target tokens
    int64_t positions = 0, real_positions = 0;  // of both sides, with and without padding
  };

  double tokens_per_second() const;

  LogWriter log_;
  Progress progress_;
  ReportSums sums_;
  double last_norm_ = 0, last_rate_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double first_fraction_ = 0;
};

}  // namespace heed
