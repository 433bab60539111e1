#include "eval/by_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "eval/tokenizers.h"

namespace heed {
namespace {

constexpr int64_t kWidth = 10;
constexpr int64_t kBuckets = 6;  // of that width; then one without a limit

// 0 for length 0, 1 for 1..10, ... 7 for 61 and more.
int64_t bucket_of(int64_t length) { return std::min((length + kWidth - 1) / kWidth, kBuckets + 1); }

}  // namespace

std::string LengthBucket::name() const {
  if (most < 0) return fmt::format("{}+", least);
  return least == most ? fmt::format("{}", least) : fmt::format("{}-{}", least, most);
}

std::vector<LengthBucket> sums_by_length(const TextMetric& metric,
                                         const std::vector<Statistics>& sentences,
                                         const std::vector<std::string>& lengths_of,
                                         const MetricOptions& options) {
  check(lengths_of.size() == sentences.size(),
        "[sums_by_length] a length for each sentence. Received {} and {}", lengths_of.size(),
        sentences.size());
  const auto& tokenizer = metric_tokenizer(options.tokenize);
  std::map<int64_t, std::vector<Statistics>> members;
  for (size_t i = 0; i < lengths_of.size(); ++i) {
    const auto length = static_cast<int64_t>(tokenizer.tokenize(lengths_of[i]).size());
    members[bucket_of(length)].push_back(sentences[i]);
  }
  std::vector<LengthBucket> buckets;
  for (const auto& [index, statistics] : members) {
    LengthBucket bucket;
    bucket.least = index == 0 ? 0 : (index - 1) * kWidth + 1;
    bucket.most = index > kBuckets ? -1 : index * kWidth;
    bucket.sentences = static_cast<int64_t>(statistics.size());
    bucket.sum = sum_of(metric, statistics);
    buckets.push_back(bucket);
  }
  return buckets;
}

}  // namespace heed
