// The operands of attention as pointers and extents, checked once. Keys and values are time-major:
// the row of (s, b) in keys [S, B, A] starts at (s B + b) A. So are the queries of a whole
// sequence; in a search those of a sentence follow each other instead.
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
  const int32_t* row_begin = nullptr;  // null: time-major

  int64_t queries_of(int64_t b) const {
    return row_begin == nullptr ? steps : row_begin[b + 1] - row_begin[b];
  }
  // The row of query t of sentence b; weights and context have the same rows.
  int64_t row(int64_t t, int64_t b) const {
    return row_begin == nullptr ? t * batch + b : row_begin[b] + t;
  }
  const Real* query(int64_t t, int64_t b) const { return queries + row(t, b) * depth; }
  const Real* key(int64_t s, int64_t b) const { return keys + (s * batch + b) * depth; }
  const Real* value(int64_t s, int64_t b) const { return values + (s * batch + b) * width; }
};

// Adds the work of one pass: forward reads each key and value of a sentence once for each query and
// evaluates additive scores; the backward pass does as much again for each operand's gradient.
void count_attention(const AttentionView& view, bool backward);

// Throws InternalError unless all fit. With row_begin, steps is 0.
AttentionView attention_view(const char* kernel, const AttentionForm& form,
                             const AttentionOperands& operands, const AttentionMask& mask);

// Sentences that one chunk takes: few, since a batch has only some dozens and their lengths differ,
// so that every thread gets several chunks and none waits long for the last; more than one, since
// the one step of a short sentence takes only some microseconds.
constexpr int64_t kAttentionGrain = 4;

}  // namespace heed::kernels
