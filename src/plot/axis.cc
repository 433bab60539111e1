#include "plot/axis.h"

#include <fmt/format.h>

#include <cmath>

#include "base/numbers.h"

namespace heed {
namespace {

constexpr double kMostTicks = 6;

// The smallest step of 1, 2 or 5 times a power of ten that needs at most kMostTicks ticks.
double round_step(double span) {
  const double least = span / kMostTicks;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string tick_label(double value) {
  if (std::abs(value) >= 1000 && std::abs(value) < 1e15)
    return format_thousands(static_cast<int64_t>(std::llround(value)));
  return fmt::format("{:.6g}", value);
}

}  // namespace

Axis::Axis(double least, double most, Ends ends, Scale scale)
    : least_(least), most_(most), logarithmic_(scale == Scale::logarithmic && least > 0) {
  if (most_ - least_ <= 1e-12 * std::abs(most_)) {  // a single value is shown in the middle
    const double room = most_ == 0 ? 1 : std::abs(most_) / 2;
    least_ -= room;
    most_ += room;
  }
  if (logarithmic_) {
    add_powers();
  } else {
    add_even_ticks(ends);
  }
}

double Axis::place(double value) const {
  if (logarithmic_) return std::log(value / least_) / std::log(most_ / least_);
  return (value - least_) / (most_ - least_);
}

void Axis::add_even_ticks(Ends ends) {
  const double step = round_step(most_ - least_);
  if (ends == Ends::rounded) {
    least_ = std::floor(least_ / step + 1e-9) * step;
    most_ = std::ceil(most_ / step - 1e-9) * step;
  }
  const double first = std::ceil(least_ / step - 1e-9) + 0.0;  // + 0.0 avoids "-0"
  for (double k = first; k * step <= most_ + 1e-9 * step; ++k) {
    ticks_.push_back({k * step, tick_label(k * step)});
  }
}

void Axis::add_powers() {
  // Widened to 1, 2 or 5 times a power of ten at both ends.
  const auto factors = {1.0, 2.0, 5.0};
  const double lowest = std::pow(10, std::floor(std::log10(least_)));
  std::vector<double> candidates;
  for (double power = lowest; power / 10 <= most_ && std::isfinite(power); power *= 10) {
    for (double factor : factors)
      if (std::isfinite(factor * power)) candidates.push_back(factor * power);
  }
  size_t begin = 0;
  while (begin + 1 < candidates.size() && candidates[begin + 1] <= least_) ++begin;
  size_t end = begin + 1;
  while (end + 1 < candidates.size() && candidates[end] < most_) ++end;
  least_ = candidates[begin];
  most_ = std::max(most_, candidates[end]);
  const size_t stride = end - begin > 8 ? 3 : 1;  // over many powers only 1, 10 and 100
  for (size_t k = begin; k <= end; ++k) {
    if (k % stride == 0) ticks_.push_back({candidates[k], tick_label(candidates[k])});
  }
}

}  // namespace heed
