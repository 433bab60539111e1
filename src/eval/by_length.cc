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

std::vector<LengthBucket> bleu_by_length(const std::vector<std::string>& hypotheses,
                                         const std::vector<std::vector<std::string>>& references,
                                         const std::vector<std::string>& lengths_of,
                                         const BleuOptions& options) {
  check(lengths_of.size() == hypotheses.size(),
        "[bleu_by_length] a length for each hypothesis. Received {} and {}", lengths_of.size(),
        hypotheses.size());
  const auto& tokenizer = metric_tokenizer(options.tokenize);
  std::map<int64_t, std::vector<size_t>> members;
  for (size_t i = 0; i < lengths_of.size(); ++i) {
    const auto length = static_cast<int64_t>(tokenizer.tokenize(lengths_of[i]).size());
    members[bucket_of(length)].push_back(i);
  }
  std::vector<LengthBucket> buckets;
  for (const auto& [index, lines] : members) {
    BleuCounts counts;
    for (size_t i : lines) {
      std::vector<std::string> of_line;
      for (const auto& reference : references) of_line.push_back(reference[i]);
      counts += count_bleu(hypotheses[i], of_line, options);
    }
    LengthBucket bucket;
    bucket.least = index == 0 ? 0 : (index - 1) * kWidth + 1;
    bucket.most = index > kBuckets ? -1 : index * kWidth;
    bucket.sentences = static_cast<int64_t>(lines.size());
    bucket.bleu = bleu_from_counts(counts);
    buckets.push_back(bucket);
  }
  return buckets;
}

}  // namespace heed
