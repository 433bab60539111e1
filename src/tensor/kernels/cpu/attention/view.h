// The operands of attention as pointers and extents. Keys and values are time-major: the row of
// (s, b) in keys [S, B, A] starts at (s B + b) A. Queries are time-major too, except during search,
// in which the rows of one sentence are contiguous.
#pragma once

#include <cstdint>

#include "tensor/kernels/attention.h"

namespace heed::kernels::cpu {

struct AttentionView {
  int64_t steps, batch, source, depth, width;  // Tq (0 with row_begin), B, S, A, D
  ScoreKind kind;
  Real scale;
  const Real *v, *queries, *keys, *values;
  const int32_t *lengths, *row_begin;  // row_begin is null if queries are time-major

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

inline AttentionView view_of(const AttentionForm& form, const AttentionOperands& operands,
                             const AttentionMask& mask) {
  const Shape &keys = operands.keys.shape, &values = operands.values.shape;
  return {
      .steps = mask.row_begin.empty() ? operands.queries.shape[0] : 0,
      .batch = keys[1],
      .source = keys[0],
      .depth = keys[2],
      .width = values[2],
      .kind = form.score,
      .scale = form.scale,
      .v = form.v.data,
      .queries = operands.queries.data,
      .keys = operands.keys.data,
      .values = operands.values.data,
      .lengths = mask.lengths.data,
      .row_begin = mask.row_begin.data,
  };
}

// The other operands of the backward pass.
struct GradientView {
  const Real *weights, *dcontext, *dweights;  // dweights may be null
  Real *dqueries, *dkeys, *dvalues, *dv_rows;
};

// Sentences per chunk. Few, since a batch has only some dozens and their lengths differ: every
// thread gets several chunks, and none waits long for the last one. More than one, since a step of
// one short sentence takes only some microseconds.
constexpr int64_t kAttentionGrain = 4;

}  // namespace heed::kernels::cpu
