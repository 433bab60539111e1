// Batches: padded, time-major id matrices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/sentence_pair.h"

namespace heed {

// B sentences, S source and T target positions, both counting </s>. Padding is kEnd.
struct Batch {
  int64_t B = 0, S = 0, T = 0;
  std::vector<TokenId> source;         // [S, B]: tokens, then </s>
  std::vector<int32_t> source_length;  // [B], with </s>
  std::vector<TokenId> target_in;      // [T, B]: <s>, then tokens
  std::vector<TokenId> target_out;     // [T, B]: tokens, then </s>
  std::vector<int32_t> target_length;  // [B], with </s>
  int64_t target_tokens = 0;           // sum of target_length
};

// Sentence b of the batch is pairs[b]; the ids are copied.
Batch make_batch(std::span<const SentencePair> pairs);
// The source side alone, for translation: T = 0 and the target fields are empty. `sources`
// are without </s>.
Batch make_source_batch(std::span<const std::span<const TokenId>> sources);

}  // namespace heed
