// Writes log.jsonl of a run directory, one JSON object per line: the source of learning curves.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "train/validation_metric.h"

namespace heed {

// Means and totals over the updates since the last report.
struct TrainReport {
  int64_t update = 0, epoch = 0;  // epoch: 1-based, that of the update
  double loss = 0;                // smoothed cross-entropy, mean per target token
  double cross_entropy = 0;       // without smoothing, mean per target token
  double tokens_per_second = 0;   // real target tokens with </s>; validation excluded
  double learning_rate = 0;       // of the last update
  double gradient_norm = 0;       // of the last update, before clipping
  double minutes = 0;             // of the whole run so far, over all starts
  double padding = 0;             // padded positions / all positions, both sides
};

struct ValidationReport {
  int64_t update = 0, epoch = 0;
  ValidationFigures figures;
  double learning_rate = 0, minutes = 0;
  bool best = false;  // best.heed was written
};

class LogWriter {
 public:
  // Appends to the file. Lines of updates after `update` are removed first, since a run that was
  // killed goes on from its last checkpoint and repeats those updates; so is an incomplete line.
  // Throws UserError with path and reason if the file can't be written.
  LogWriter(const std::string& path, int64_t update);

  void write(const TrainReport& report);  // {"type": "train", ...}
  // {"type": "valid", ...}. A figure that is NaN is written as null.
  void write(const ValidationReport& report);

 private:
  void append(const std::string& line);
  std::string path_;
  std::ofstream file_;
};

}  // namespace heed
