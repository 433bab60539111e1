// An axis of a chart: the range it shows, its ticks, and the position of a value on it.
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
  enum class Ends { exact, rounded };        // rounded: the range is widened to round numbers
  enum class Scale { linear, logarithmic };  // logarithmic: ends are always rounded

  // Shows [least, most]. The scale is linear unless least > 0.
  Axis(double least, double most, Ends ends, Scale scale = Scale::linear);

  double place(double value) const;  // 0 at the low end, 1 at the high end
  const std::vector<Tick>& ticks() const { return ticks_; }
  double least() const { return least_; }
  double most() const { return most_; }
  bool logarithmic() const { return logarithmic_; }

 private:
  void add_even_ticks(Ends ends);
  void add_powers();

  double least_, most_;
  bool logarithmic_;
  std::vector<Tick> ticks_;
};

}  // namespace heed
