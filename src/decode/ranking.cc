#include "decode/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed {

double Ranking::score(double log_probability, int64_t length, double coverage) const {
  const auto n = static_cast<double>(length);
  const double base = form == LengthPenalty::gnmt ? (5 + n) / 6 : n;
  return log_probability / std::pow(base, length_penalty) + word_reward * n +
         coverage_penalty * coverage;
}

double Ranking::bound(double log_probability, int64_t from, int64_t to) const {
  // Without a negative reward the score only rises with the length.
  if (word_reward >= 0) return score(log_probability, to, 0);
  double most = -std::numeric_limits<double>::infinity();
  for (int64_t length = from; length <= to; ++length)
    most = std::max(most, score(log_probability, length, 0));
  return most;
}

double coverage(std::span<const std::span<const float>> attention) {
  constexpr double kLeast = 1e-6;
  if (attention.empty()) return 0;
  double sum = 0;
  for (size_t s = 0; s + 1 < attention[0].size(); ++s) {
    double looked_at = 0;
    for (const auto& row : attention) looked_at += static_cast<double>(row[s]);
    sum += std::log(std::clamp(looked_at, kLeast, 1.0));
  }
  return sum;
}

}  // namespace heed
