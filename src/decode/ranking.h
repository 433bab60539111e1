// What finished hypotheses are ranked by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed {

enum class LengthPenalty {
  gnmt,   // ((5 + length) / 6)^alpha (Wu et al. 2016, eq. 14)
  power,  // length^alpha; with alpha 1 the mean log-probability of a token
};

// score = log p / penalty(length) + word_reward * length + coverage_penalty * coverage, with length
// in tokens, </s> counted.
struct Ranking {
  LengthPenalty form = LengthPenalty::gnmt;
  double length_penalty = 0.6;  // alpha, >= 0; 0: log p is not divided
  double word_reward = 0;       // of any sign
  double coverage_penalty = 0;  // beta, >= 0

  double score(double log_probability, int64_t length, double coverage) const;
  // The most that a hypothesis with this log-probability can get when its length will be `from` to
  // `to`: log p only falls, and coverage is at most 0.
  double bound(double log_probability, int64_t from, int64_t to) const;
};

// sum over source tokens s of log min(1, sum over steps t of attention[t][s]) (Wu et al. 2016, eq.
// 14), </s> of the source left out; what no step looked at counts as 1e-6. At most 0.
double coverage(std::span<const std::span<const float>> attention);

}  // namespace heed
