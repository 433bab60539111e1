// Is one translation of a test set really better than another? Two tests over pairs of sentences,
// both from the statistics of the sentences alone.
//
//   bootstrap      Koehn: "Statistical significance tests for machine translation evaluation",
//                  EMNLP 2004: test sets drawn from this one with replacement.
//   randomization  Riezler, Maxwell: "On some pitfalls in automatic evaluation and significance
//                  testing for MT", ACL 2005 workshop: the translations of a sentence change sides
//                  by the toss of a coin.
//
// p is sacreBLEU's: with n resamples, d the difference of the two scores and d_k that of resample
// k,
//
//   bootstrap      p = (1 + #{k : |d_k| - mean_j |d_j| > |d|}) / (n + 1)
//   randomization  p = (1 + #{k : |d_k| > |d|}) / (n + 1)
//
// Both are two-sided. As a difference that is merely equal isn't counted, two translations that are
// the same give the smallest p there is: it says nothing where d is 0.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "eval/metric.h"

namespace heed {

struct Interval {  // the middle 95 %: resample n / 40 from below and from above (whole numbers)
  double low = 0.0;
  double high = 0.0;
};

struct Comparison {
  double system = 0.0;
  double baseline = 0.0;
  double p = 1.0;
  // Of the bootstrap alone.
  std::optional<Interval> system_interval, baseline_interval, difference_interval;

  double difference() const { return system - baseline; }
};

struct PairedTest {
  enum class Kind { kBootstrap, kRandomization };
  Kind kind = Kind::kBootstrap;
  int64_t resamples = 1000;
  uint64_t seed = 1;
};

// The statistics are those of the same sentences, at least one. Resample k depends on the seed and
// k alone, so that the result is the same in any number of threads, and all metrics see the same
// resamples.
Comparison compare_systems(const TextMetric& metric, const std::vector<Statistics>& system,
                           const std::vector<Statistics>& baseline, const MetricOptions& options,
                           const PairedTest& test);

}  // namespace heed
