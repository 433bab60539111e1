// An axis of a chart: which range it shows, where its ticks are, and where a value lies on it.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct Tick {
  double value = 0;
  std::string label;
};

class Axis {
 public:
  // Shows [least, most], widened to round numbers if `round`. logarithmic: only for least > 0.
  Axis(double least, double most, bool round, bool logarithmic = false);

  double place(double value) const;  // 0 at the low end, 1 at the high end
  const std::vector<Tick>& ticks() const { return ticks_; }
  double least() const { return least_; }
  double most() const { return most_; }
  bool logarithmic() const { return logarithmic_; }

 private:
  void add_even_ticks(bool round);
  void add_powers();

  double least_, most_;
  bool logarithmic_;
  std::vector<Tick> ticks_;
};

}  // namespace heed
