// Is one translation of a test set really better than another? Two tests over pairs of sentences,
// both of which need only the statistics of the sentences:
//
//   bootstrap      Koehn: "Statistical significance tests for machine translation evaluation",
//                  EMNLP 2004: test sets drawn from this one with replacement.
//   randomization  Riezler, Maxwell: "On some pitfalls in automatic evaluation and significance
//                  testing for MT", ACL 2005 workshop: the two translations of a sentence are
//                  swapped with probability 1/2.
//
// p is defined as in sacreBLEU: with n resamples, the difference d of the two scores and its value
// d_k in resample k,
//
//   bootstrap      p = (1 + #{k : |d_k| - mean_j |d_j| > |d|}) / (n + 1)
//   randomization  p = (1 + #{k : |d_k| > |d|}) / (n + 1)
//
// Both are two-sided. Equal differences are not counted, so two identical translations get the
// smallest possible p: p is meaningless if d is 0.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "eval/metric.h"

namespace heed {

struct Interval {  // the middle 95 %: the resample n / 40 (integer division) from either end
  double low = 0.0;
  double high = 0.0;
};

struct Comparison {
  double system = 0.0;
  double baseline = 0.0;
  double p = 1.0;
  // Set by the bootstrap only.
  std::optional<Interval> system_interval, baseline_interval, difference_interval;

  double difference() const { return system - baseline; }
};

struct PairedTest {
  enum class Kind { bootstrap, randomization };
  Kind kind = Kind::bootstrap;
  int64_t resamples = 1000;
  uint64_t seed = 1;
};

// Both vectors hold the statistics of the same sentences, at least one. Resample k depends
// only on the seed and k: the result is the same for any number of threads, and all metrics use
// the same resamples.
Comparison compare_systems(const TextMetric& metric, const std::vector<Statistics>& system,
                           const std::vector<Statistics>& baseline, const MetricOptions& options,
                           const PairedTest& test);

}  // namespace heed
