// Batches of pairs of similar lengths, so that little of a batch is padding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed {

struct BatchOptions {
  // Upper limit of max(B * S, B * T), except that a batch has at least one pair.
  int64_t batch_tokens = 2000;
  // > 0: exactly this many sentences per batch (fewer in the last one); batch_tokens is ignored.
  int64_t batch_sentences = 0;
  // Training sorts the pairs of about this many batches by length together.
  int64_t pool_batches = 50;
};

// The lengths of one pair in tokens, without </s>. `pair` is the number its caller knows it by.
struct PairLengths {
  int64_t pair;
  int32_t source, target;
};

// The pairs (as PairLengths::pair) of each batch, the shortest first: sorted by the longer side,
// then by target and source (pairs of equal lengths keep their order), and cut into batches as
// large as the options allow.
std::vector<std::vector<int64_t>> batches_by_length(std::span<const PairLengths> pairs,
                                                    const BatchOptions& options);

}  // namespace heed
