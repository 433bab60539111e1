// Batches: padded, time-major id matrices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/corpus.h"

namespace heed {

// B sentences, S source and T target positions, both counting </s>. Padding is kEnd.
struct Batch {
  int64_t B = 0, S = 0, T = 0;
  std::vector<TokenId> source;         // [S, B]: tokens, then </s>
  std::vector<int32_t> source_length;  // [B], with </s>
  std::vector<TokenId> target_in;      // [T, B]: <s>, then tokens
  std::vector<TokenId> target_out;     // [T, B]: tokens, then </s>
  std::vector<int32_t> target_length;  // [B], with </s>
  std::vector<int64_t> pairs;          // [B] index in the corpus
  int64_t target_tokens = 0;           // sum of target_length
};

Batch make_batch(const Corpus& corpus, std::span<const int64_t> pairs);
// Source side only (translation): T = 0, targets empty.
Batch make_source_batch(std::span<const std::vector<TokenId>> sentences);

struct BatchOptions {
  int64_t batch_tokens =
      2000;  // max(B * S, B * T) stays at or below it, but a batch has at least one pair
  int64_t batch_sentences = 0;  // > 0: so many sentences, batch_tokens then has no say
  int64_t pool_batches = 50;    // pairs of about so many batches are sorted by length together
};

// The batches of a whole corpus, as pair indices, in order of length, unshuffled, for validation.
std::vector<std::vector<int64_t>> sorted_batches(const Corpus& corpus, const BatchOptions& options);

// Padded positions / all positions, over both sides: 0 is none.
double padding_share(const Corpus& corpus, const std::vector<std::vector<int64_t>>& batches);

}  // namespace heed
