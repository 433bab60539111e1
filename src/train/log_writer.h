// log.jsonl of a run directory: one JSON object a line, so that curves can be drawn and figures
// compared afterwards.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "train/validation_metric.h"

namespace heed {

// Of the updates since the report before.
struct TrainReport {
  int64_t update = 0, epoch = 0;  // epoch: 1-based, the one the update belongs to
  double loss = 0;                // smoothed cross-entropy, mean a target token
  double cross_entropy = 0;       // without smoothing, mean a target token
  double tokens_per_second = 0;   // real target tokens with </s>, of training alone
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
  // Appends to the file. Lines of updates after `update` are dropped first: a run that was killed
  // goes on from its last checkpoint and comes to those updates again. A line that was cut is
  // dropped too. Throws UserError with path and reason where it can't be written.
  LogWriter(const std::string& path, int64_t update);

  void write(const TrainReport& report);  // {"type": "train", ...}
  void write(const ValidationReport&
                 report);  // {"type": "valid", ...}; a figure that is not a number is null

 private:
  void append(const std::string& line);
  std::string path_;
  std::ofstream file_;
};

}  // namespace heed
