// The score by which finished hypotheses are ranked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "config/config.h"

namespace heed {

enum class LengthPenalty {
  gnmt,   // ((5 + length) / 6)^alpha (Wu et al. 2016, eq. 14)
  power,  // length^alpha; alpha 1: log p becomes the mean per token
};

// score = log p / penalty(length) + word_reward * length + coverage_penalty * coverage, with length
// in tokens, </s> counted.
struct Ranking {
  LengthPenalty form = LengthPenalty::gnmt;
  double length_penalty = DecodeConfig().length_penalty;  // alpha, >= 0; 0: log p is not divided
  double word_reward = 0;                                 // of any sign
  double coverage_penalty = 0;                            // beta, >= 0

  double score(double log_probability, int64_t length, double coverage) const;
  // An upper bound of the score that a hypothesis with this log-probability can reach at a length
  // from `from` to `to`: log p can only fall, and coverage is at most 0.
  double bound(double log_probability, int64_t from, int64_t to) const;
};

// The sum over source tokens s, without </s>, of log min(1, sum over steps t of attention[t][s])
// (Wu et al. 2016, eq. 14). Attention sums below 1e-6 count as 1e-6. At most 0.
double coverage(std::span<const std::span<const float>> attention);

}  // namespace heed
