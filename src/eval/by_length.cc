#include "eval/by_length.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "eval/bands.h"
#include "eval/tokenizers.h"

namespace heed {
namespace {

constexpr int64_t kWidth = 10;
constexpr int64_t kBuckets = 6;  // of that width; one more has no upper limit

// 0 for length 0, 1 for 1..10, ... 7 for 61 and above.
int64_t bucket_of(int64_t length) { return std::min((length + kWidth - 1) / kWidth, kBuckets + 1); }

}  // namespace

std::string LengthBucket::name() const { return band_name(least, most); }

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

std::string length_signature(const std::string& metric_signature, const std::string& side,
                             const MetricOptions& options) {
  const size_t at = metric_signature.find("|version:");
  check(at != std::string::npos, "[length_signature] a signature with its version. Received {}",
        metric_signature);
  return fmt::format("{}|length:{}|lengthtok:{}{}", metric_signature.substr(0, at), side,
                     options.tokenize, metric_signature.substr(at));
}

}  // namespace heed
