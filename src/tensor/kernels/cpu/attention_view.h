// The operands of attention as pointers and extents, checked once. Everything is time-major: the
// row of (s, b) in keys [S, B, A] starts at (s B + b) A.
#pragma once

#include <cstdint>

#include "tensor/kernels/kernels.h"

namespace heed::kernels {

struct AttentionView {
  int64_t steps, batch, source, depth, width;  // Tq, B, S, A, D
  ScoreKind kind;
  Real scale;
  const Real *v, *queries, *keys, *values;
  const int32_t* lengths;

  const Real* query(int64_t t, int64_t b) const { return queries + (t * batch + b) * depth; }
  const Real* key(int64_t s, int64_t b) const { return keys + (s * batch + b) * depth; }
  const Real* value(int64_t s, int64_t b) const { return values + (s * batch + b) * width; }
};

// Adds the work of one pass: forward reads each key and value of a sentence once for each query and
// evaluates additive scores; the backward pass does as much again for each operand's gradient.
void count_attention(const AttentionView& view, bool backward);

// Throws InternalError unless all fit, lengths within [0, S] as well.
AttentionView attention_view(const char* kernel, const Score& score, const Tensor& queries,
                             const Tensor& keys, const Tensor& values, const int32_t* lengths);

// Sentences that one chunk takes.
constexpr int64_t kAttentionGrain = 4;

}  // namespace heed::kernels
