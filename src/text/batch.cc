#include "text/batch.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/random.h"

namespace heed {
namespace {

int64_t length(std::span<const TokenId> tokens) { return static_cast<int64_t>(tokens.size()) + 1; }

// Writes `tokens` into column b of a [rows, B] matrix, from row `first` on.
void put_column(std::vector<TokenId>& matrix, int64_t B, int64_t b, int64_t first,
                std::span<const TokenId> tokens) {
  for (size_t t = 0; t < tokens.size(); ++t)
    matrix[static_cast<size_t>((first + static_cast<int64_t>(t)) * B + b)] = tokens[t];
}

// Fills S, source and source_length of a batch of B sentences; at(b) gives sentence b.
template <typename At>
void put_source(Batch& batch, const At& at) {
  for (int64_t b = 0; b < batch.B; ++b) {
    batch.source_length.push_back(static_cast<int32_t>(length(at(b))));
    batch.S = std::max(batch.S, length(at(b)));
  }
  batch.source.assign(static_cast<size_t>(batch.S * batch.B), kEnd);
  for (int64_t b = 0; b < batch.B; ++b) put_column(batch.source, batch.B, b, 0, at(b));
}

// Pair indices in order of length; pairs of the same lengths keep their order.
void sort_by_length(const Corpus& corpus, std::span<int64_t> pairs) {
  const auto lengths = [&](int64_t pair) {
    const auto source = corpus.source(pair).size(), target = corpus.target(pair).size();
    return std::array{std::max(source, target), target, source};
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](int64_t a, int64_t b) { return lengths(a) < lengths(b); });
}

// Cuts consecutive pairs into batches as large as the options allow.
void cut(const Corpus& corpus, std::span<const int64_t> pairs, const BatchOptions& options,
         std::vector<std::vector<int64_t>>& batches) {
  std::vector<int64_t> batch;
  int64_t longest = 0;
  for (const int64_t pair : pairs) {
    const int64_t count = static_cast<int64_t>(batch.size()) + 1;
    const int64_t with =
        std::max({longest, length(corpus.source(pair)), length(corpus.target(pair))});
    const bool fits = options.batch_sentences > 0 ? count <= options.batch_sentences
                                                  : count * with <= options.batch_tokens;
    if (!fits && !batch.empty()) {
      batches.push_back(std::move(batch));
      batch.clear();
      longest = 0;
    }
    batch.push_back(pair);
    longest = std::max({longest, length(corpus.source(pair)), length(corpus.target(pair))});
  }
  if (!batch.empty()) batches.push_back(std::move(batch));
}

// Pairs that about pool_batches batches hold.
size_t pool_size(const Corpus& corpus, const BatchOptions& options) {
  const int64_t batches = std::max<int64_t>(1, options.pool_batches);
  if (options.batch_sentences > 0) return static_cast<size_t>(batches * options.batch_sentences);
  int64_t positions = 0;
  for (int64_t pair = 0; pair < corpus.size(); ++pair)
    positions += std::max(length(corpus.source(pair)), length(corpus.target(pair)));
  const double mean = static_cast<double>(positions) / static_cast<double>(corpus.size());
  const double pairs = static_cast<double>(batches * options.batch_tokens) / mean;
  return std::max<size_t>(1, static_cast<size_t>(pairs));
}

std::vector<int64_t> all_pairs(const Corpus& corpus) {
  std::vector<int64_t> pairs(static_cast<size_t>(corpus.size()));
  std::iota(pairs.begin(), pairs.end(), int64_t{0});
  return pairs;
}

}  // namespace

Batch make_batch(const Corpus& corpus, std::span<const int64_t> pairs) {
  Batch batch;
  batch.B = static_cast<int64_t>(pairs.size());
  batch.pairs.assign(pairs.begin(), pairs.end());
  put_source(batch, [&](int64_t b) { return corpus.source(pairs[static_cast<size_t>(b)]); });
  for (const int64_t pair : pairs) {
    const int64_t with_end = length(corpus.target(pair));
    batch.target_length.push_back(static_cast<int32_t>(with_end));
    batch.target_tokens += with_end;
    batch.T = std::max(batch.T, with_end);
  }
  batch.target_in.assign(static_cast<size_t>(batch.T * batch.B), kEnd);
  batch.target_out = batch.target_in;
  for (int64_t b = 0; b < batch.B; ++b) {
    const auto target = corpus.target(pairs[static_cast<size_t>(b)]);
    batch.target_in[static_cast<size_t>(b)] = kStart;
    put_column(batch.target_in, batch.B, b, 1, target);
    put_column(batch.target_out, batch.B, b, 0, target);
  }
  return batch;
}

Batch make_source_batch(std::span<const std::vector<TokenId>> sentences) {
  Batch batch;
  batch.B = static_cast<int64_t>(sentences.size());
  batch.pairs.resize(sentences.size());
  std::iota(batch.pairs.begin(), batch.pairs.end(), int64_t{0});
  put_source(batch, [&](int64_t b) {
    return std::span<const TokenId>(sentences[static_cast<size_t>(b)]);
  });
  return batch;
}

std::vector<std::vector<int64_t>> epoch_batches(const Corpus& corpus, const BatchOptions& options,
                                                uint64_t seed, uint64_t epoch) {
  std::vector<std::vector<int64_t>> batches;
  if (corpus.size() == 0) return batches;
  Random random(seed, mix(epoch, 0x626174636865ULL));  // a stream of its own: "batche"
  std::vector<int64_t> pairs = all_pairs(corpus);
  shuffle(pairs, random);
  const size_t pool = pool_size(corpus, options);
  for (size_t begin = 0; begin < pairs.size(); begin += pool) {
    const auto part = std::span(pairs).subspan(begin, std::min(pool, pairs.size() - begin));
    sort_by_length(corpus, part);
    cut(corpus, part, options, batches);
  }
  shuffle(batches, random);
  return batches;
}

std::vector<std::vector<int64_t>> sorted_batches(const Corpus& corpus,
                                                 const BatchOptions& options) {
  std::vector<int64_t> pairs = all_pairs(corpus);
  sort_by_length(corpus, pairs);
  std::vector<std::vector<int64_t>> batches;
  cut(corpus, pairs, options, batches);
  return batches;
}

double padding_share(const Corpus& corpus, const std::vector<std::vector<int64_t>>& batches) {
  int64_t positions = 0, tokens = 0;
  for (const auto& batch : batches) {
    int64_t S = 0, T = 0;
    for (const int64_t pair : batch) {
      S = std::max(S, length(corpus.source(pair)));
      T = std::max(T, length(corpus.target(pair)));
      tokens += length(corpus.source(pair)) + length(corpus.target(pair));
    }
    positions += static_cast<int64_t>(batch.size()) * (S + T);
  }
  if (positions == 0) return 0.0;
  return static_cast<double>(positions - tokens) / static_cast<double>(positions);
}

}  // namespace heed
