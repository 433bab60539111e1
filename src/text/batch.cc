#include "text/batch.h"

#include <algorithm>
#include <numeric>

#include "text/length_batches.h"

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

std::vector<std::vector<int64_t>> sorted_batches(const Corpus& corpus,
                                                 const BatchOptions& options) {
  std::vector<PairLengths> pairs;
  for (int64_t pair = 0; pair < corpus.size(); ++pair) pairs.push_back(lengths_of(corpus, pair));
  std::vector<std::vector<int64_t>> batches;
  cut_by_length(pairs, options, batches);
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
