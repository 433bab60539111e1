#include "text/length_batches.h"

#include <algorithm>
#include <array>

namespace heed {

PairLengths lengths_of(const Corpus& corpus, int64_t pair) {
  const Corpus::Lengths lengths = corpus.lengths(pair);
  return {pair, static_cast<int32_t>(lengths.source), static_cast<int32_t>(lengths.target)};
}

void cut_by_length(std::span<PairLengths> pairs, const BatchOptions& options,
                   std::vector<std::vector<int64_t>>& batches) {
  const auto key = [](const PairLengths& p) {
    return std::array{std::max(p.source, p.target), p.target, p.source};
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const PairLengths& a, const PairLengths& b) { return key(a) < key(b); });
  std::vector<int64_t> batch;
  for (const PairLengths& next : pairs) {
    const int64_t count = static_cast<int64_t>(batch.size()) + 1;
    const int64_t longest = int64_t{std::max(next.source, next.target)} + 1;  // sorted: of all
    const bool fits = options.batch_sentences > 0 ? count <= options.batch_sentences
                                                  : count * longest <= options.batch_tokens;
    if (!fits && !batch.empty()) {
      batches.push_back(std::move(batch));
      batch.clear();
    }
    batch.push_back(next.pair);
  }
  if (!batch.empty()) batches.push_back(std::move(batch));
}

}  // namespace heed
