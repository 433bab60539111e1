// Attention: scores, mask, softmax and context in one pass per sentence.
//   e[t,b,s] = score(queries[t,b], keys[s,b])
//   weights[t,b,:] = softmax of e[t,b,:] over s < lengths[b], 0 beyond
//   context[t,b,:] = sum_s weights[t,b,s] values[s,b,:]
#pragma once

#include "tensor/tensor.h"

namespace heed::kernels {

// How a query meets a key. dot: scale q . k. additive: v . tanh(q + k) (Bahdanau et
// al. 2015, A.1.2).
enum class ScoreKind { dot, additive };

struct AttentionForm {
  ScoreKind score = ScoreKind::dot;
  Real scale = 1;  // dot
  Tensor v;        // additive: [A]
};

// queries [Tq, B, A]; keys [S, B, A], values [S, B, D].
struct AttentionOperands {
  Tensor queries, keys, values;
};

// Which positions each query sees. lengths [B]: sentence b has positions s < lengths[b]; a length
// of 0 gives zeros. During search sentences have different numbers of queries: rows row_begin[b]
// to row_begin[b + 1] - 1 of the queries, seen as [M, A], then belong to sentence b, and so do
// these rows of weights and context. row_begin [B + 1] ascends from 0 to M; if it is empty,
// queries are time-major.
struct AttentionMask {
  Ids lengths, row_begin;
};

// weights [Tq, B, S], context [Tq, B, D].
struct AttentionResult {
  Tensor weights, context;
};

void attention_forward(const AttentionForm& form, const AttentionOperands& operands,
                       const AttentionMask& mask, const AttentionResult& result);

// The gradients of all operands, which are added to. v_rows [B, A] takes that of v, a row per
// sentence, which the caller sums once in a fixed order; it is empty for dot.
struct AttentionGradients {
  Tensor queries, keys, values, v_rows;
};
// `weights` are those of the forward pass. dresult.weights may be empty: no gradient flows into the
// weights. Queries must be time-major.
void attention_backward(const AttentionForm& form, const AttentionOperands& operands,
                        const AttentionMask& mask, const Tensor& weights,
                        const AttentionResult& dresult, const AttentionGradients& into);

}  // namespace heed::kernels
