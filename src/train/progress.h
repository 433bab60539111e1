// The progress line of training on a terminal, redrawn at most ten times per second.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace heed {

struct ProgressView {
  int64_t update = 0, epoch = 0;  // epoch: 1-based
  double fraction = 0;            // done, 0 to 1; negative if no limit is set
  double loss = 0;
  double tokens_per_second = 0;
  std::optional<double> seconds_left;  // unknown at first
};

// "[#####.....] 50%, 3:07 left  update 120, epoch 2, loss 3.211, 5,120 tokens/s", cut to at
// most `width` columns.
std::string progress_line(const ProgressView& view, int width);

class Progress {
 public:
  // `enabled`: whether it is drawn at all; see terminal_progress().
  explicit Progress(bool enabled) : enabled_(enabled) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool enabled() const { return enabled_; }
  // True if it is time to draw again. Ask first, so that no line is computed that isn't shown.
  bool due() const;
  void show(const ProgressView& view);
  void clear();  // call it before other output to standard error

 private:
  bool enabled_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_{};
};

// Whether standard error is a terminal.
bool terminal_progress();

}  // namespace heed
