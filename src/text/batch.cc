#include "text/batch.h"

#include <algorithm>

namespace heed {
namespace {

int64_t length(std::span<const TokenId> tokens) { return static_cast<int64_t>(tokens.size()) + 1; }

// Writes `tokens` into column b of a [rows, B] matrix, from row `row_begin` on.
void put_column(std::vector<TokenId>& matrix, int64_t B, int64_t b, int64_t row_begin,
                std::span<const TokenId> tokens) {
  for (size_t t = 0; t < tokens.size(); ++t)
    matrix[static_cast<size_t>((row_begin + static_cast<int64_t>(t)) * B + b)] = tokens[t];
}

// Fills S, source and source_length of a batch of B sentences.
void put_sources(Batch& batch, std::span<const std::span<const TokenId>> sources) {
  for (const auto source : sources) {
    batch.source_length.push_back(static_cast<int32_t>(length(source)));
    batch.S = std::max(batch.S, length(source));
  }
  batch.source.assign(static_cast<size_t>(batch.S * batch.B), kEnd);
  for (int64_t b = 0; b < batch.B; ++b)
    put_column(batch.source, batch.B, b, 0, sources[static_cast<size_t>(b)]);
}

// Fills the fields of the target side of a batch of B sentences.
void put_targets(Batch& batch, std::span<const SentencePair> pairs) {
  for (const SentencePair& pair : pairs) {
    const int64_t with_end = length(pair.target);
    batch.target_length.push_back(static_cast<int32_t>(with_end));
    batch.target_tokens += with_end;
    batch.T = std::max(batch.T, with_end);
  }
  batch.target_in.assign(static_cast<size_t>(batch.T * batch.B), kEnd);
  batch.target_out = batch.target_in;
  for (int64_t b = 0; b < batch.B; ++b) {
    const auto target = pairs[static_cast<size_t>(b)].target;
    batch.target_in[static_cast<size_t>(b)] = kStart;
    put_column(batch.target_in, batch.B, b, 1, target);
    put_column(batch.target_out, batch.B, b, 0, target);
  }
}

}  // namespace

Batch make_batch(std::span<const SentencePair> pairs) {
  std::vector<std::span<const TokenId>> sources;
  for (const SentencePair& pair : pairs) sources.push_back(pair.source);
  Batch batch = make_source_batch(sources);
  put_targets(batch, pairs);
  return batch;
}

Batch make_source_batch(std::span<const std::span<const TokenId>> sources) {
  Batch batch;
  batch.B = static_cast<int64_t>(sources.size());
  put_sources(batch, sources);
  return batch;
}

}  // namespace heed
