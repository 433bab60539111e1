// Corpora of which only the lengths matter, and what their batches hold.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "text/epoch_order.h"

namespace heed::test {

using Batches = std::vector<std::vector<int64_t>>;

inline Corpus corpus_of(const std::vector<std::pair<size_t, size_t>>& lengths,
                        const CorpusStorage& storage = {}) {
  Corpus corpus(storage);
  for (const auto& [source, target] : lengths)
    corpus.add(std::vector<TokenId>(source, 7), std::vector<TokenId>(target, 8));
  corpus.finish();
  return corpus;
}

// Lengths as in image captions: around 14 tokens, log-normal, the sides going together.
inline Corpus realistic_corpus(int64_t pairs, const CorpusStorage& storage = {}) {
  Random random(5);
  std::vector<std::pair<size_t, size_t>> lengths;
  for (int64_t i = 0; i < pairs; ++i) {
    const double source = std::exp(2.6 + 0.35 * random.normal());
    const double target = source * std::exp(0.15 * random.normal());
    lengths.emplace_back(std::clamp(source, 1.0, 100.0), std::clamp(target, 1.0, 100.0));
  }
  return corpus_of(lengths, storage);
}

inline Batches epoch_batches(const Corpus& corpus, const BatchOptions& options, uint64_t seed,
                             uint64_t epoch) {
  Batches batches;
  for (EpochOrder order(corpus, options, seed, epoch); !order.at_end();)
    batches.push_back(order.next());
  return batches;
}

inline std::vector<int64_t> all_of(const Batches& batches) {
  std::vector<int64_t> pairs;
  for (const auto& batch : batches) pairs.insert(pairs.end(), batch.begin(), batch.end());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

inline std::vector<int64_t> first_numbers(int64_t count) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  return numbers;
}

}  // namespace heed::test
