// Corpora of given lengths, and what their batches hold. A source's tokens name its pair.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "text/batch.h"
#include "text/epoch_order.h"

namespace heed::test {

using Batches = std::vector<std::vector<int64_t>>;

inline Corpus corpus_of(const std::vector<std::pair<size_t, size_t>>& lengths,
                        const CorpusStorage& storage = {}) {
  Corpus corpus(storage);
  for (const auto& [source, target] : lengths)
    corpus.add(std::vector<TokenId>(source, static_cast<TokenId>(kEnd + 1 + corpus.size())),
               std::vector<TokenId>(target, 8));
  corpus.finish();
  return corpus;
}

// Lengths as in image captions: around 14 tokens, log-normal, both sides of similar lengths.
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

// Padded positions / all positions of the batches, over both sides.
inline double padding_share(const Corpus& corpus, const Batches& batches) {
  int64_t positions = 0, tokens = 0;
  for (const auto& pairs : batches) {
    const Batch batch = make_batch(corpus.pairs(pairs));
    positions += batch.B * (batch.S + batch.T);
    tokens += std::accumulate(batch.source_length.begin(), batch.source_length.end(), int64_t{0}) +
              batch.target_tokens;
  }
  return static_cast<double>(positions - tokens) / static_cast<double>(positions);
}

inline std::vector<int64_t> all_of(const Batches& batches) {
  std::vector<int64_t> pairs;
  for (const auto& batch : batches) pairs.insert(pairs.end(), batch.begin(), batch.end());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// The pairs of a batch of corpus_of() without empty sources.
inline std::vector<int64_t> pairs_of(const Batch& batch) {
  std::vector<int64_t> pairs;
  for (int64_t b = 0; b < batch.B; ++b)
    pairs.push_back(batch.source[static_cast<size_t>(b)] - kEnd - 1);
  return pairs;
}

inline std::vector<int64_t> first_numbers(int64_t count) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  return numbers;
}

}  // namespace heed::test
