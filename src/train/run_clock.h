// How long a run has trained, over all of its starts.
#pragma once

#include <chrono>

namespace heed {

class RunClock {
 public:
  using Clock = std::chrono::steady_clock;

  // `started`: when the present start began; `minutes_before`: the minutes of earlier starts.
  explicit RunClock(Clock::time_point started, double minutes_before = 0)
      : started_(started), minutes_before_(minutes_before) {}

  double minutes() const {
    return minutes_before_ + std::chrono::duration<double>(Clock::now() - started_).count() / 60;
  }

 private:
  Clock::time_point started_;
  double minutes_before_;
};

}  // namespace heed
