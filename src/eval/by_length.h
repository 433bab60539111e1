// Scores by sentence length: does quality drop for long sentences, as it does without attention?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/metric.h"

namespace heed {

struct LengthBucket {
  int64_t least = 0;
  int64_t most = -1;  // -1: no limit
  int64_t sentences = 0;
  Statistics sum;  // of the sentences of this length

  std::string name() const;  // "1-10", "61+", "0"
};

// Buckets for the lengths 0, 1-10, 11-20, ... 51-60 and 61+; buckets without sentences are
// left out. lengths_of: the lines whose length counts (source or first reference), in tokens of
// options.tokenize. Throws InternalError if the numbers of lines differ.
std::vector<LengthBucket> sums_by_length(const TextMetric& metric,
                                         const std::vector<Statistics>& sentences,
                                         const std::vector<std::string>& lengths_of,
                                         const MetricOptions& options = {});

// The metric's signature with the settings of the buckets added before its version:
// "nrefs:1|...|length:source|lengthtok:13a|version:heed-0.1.0". side: "source" or "reference".
std::string length_signature(const std::string& metric_signature, const std::string& side,
                             const MetricOptions& options);

}  // namespace heed
