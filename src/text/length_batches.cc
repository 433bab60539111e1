#include "text/length_batches.h"

#include <algorithm>
#include <array>

namespace heed {

std::vector<std::vector<int64_t>> batches_by_length(std::span<const PairLengths> pairs,
                                                    const BatchOptions& options) {
  std::vector<PairLengths> sorted(pairs.begin(), pairs.end());
  const auto key = [](const PairLengths& p) {
    return std::array{std::max(p.source, p.target), p.target, p.source};
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const PairLengths& a, const PairLengths& b) { return key(a) < key(b); });
  std::vector<std::vector<int64_t>> batches;
  std::vector<int64_t> batch;
  for (const PairLengths& next : sorted) {
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
  return batches;
}

}  // namespace heed
