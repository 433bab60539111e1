// Scores by sentence length: does a model fall off on long sentences, as one without attention
// does?
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
  Statistics sum;  // of these sentences

  std::string name() const;  // "1-10", "61+", "0"
};

// The sentences of each length: 0, 1-10, 11-20, ... 51-60, 61+; buckets without a sentence are left
// out. lengths_of: the lines whose length counts (source, or first reference), measured in tokens
// of options.tokenize. Throws InternalError where there isn't a line for each sentence.
std::vector<LengthBucket> sums_by_length(const TextMetric& metric,
                                         const std::vector<Statistics>& sentences,
                                         const std::vector<std::string>& lengths_of,
                                         const MetricOptions& options = {});

// A signature of the metric with what the buckets depend on before its version:
// "nrefs:1|...|length:source|lengthtok:13a|version:heed-0.1.0". side: "source" or "reference".
std::string length_signature(const std::string& metric_signature, const std::string& side,
                             const MetricOptions& options);

}  // namespace heed
