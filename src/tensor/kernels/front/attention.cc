// Kernels of attention.
#include "tensor/kernels/attention.h"

#include <algorithm>

#include "tensor/kernels/checks.h"
#include "tensor/kernels/cpu/attention/attention.h"
#include "tensor/kernels/front/dispatch.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

void check_row_begin(const char* kernel, const Ids& row_begin, int64_t batch, int64_t rows) {
  check_size(kernel, "row_begin", row_begin, batch + 1);
  check_ids(kernel, row_begin, 0, rows + 1);
#ifndef NDEBUG
  if (row_begin.device != Device::cpu) return;
  const int32_t* const begin = row_begin.data;
  check(begin[0] == 0 && begin[batch] == rows && std::is_sorted(begin, begin + batch + 1),
        "[{}] row_begin must ascend from 0 to the number of queries, {}", kernel, rows);
#endif
}

void check_operands(const char* kernel, const AttentionForm& form,
                    const AttentionOperands& operands, const AttentionMask& mask) {
  const auto& [queries, keys, values] = operands;
  check(keys.shape.rank() == 3, "[{}] keys must have three axes. Received {}", kernel, keys.shape);
  check(values.shape.rank() == 3, "[{}] values must have three axes. Received {}", kernel,
        values.shape);
  const int64_t S = keys.shape[0], B = keys.shape[1], A = keys.shape[2];
  check_shape(kernel, "values", values, {S, B, values.shape[2]});
  if (form.score == ScoreKind::additive) check_size(kernel, "v", form.v, A);
  check_size(kernel, "lengths", mask.lengths, B);
  check_ids(kernel, mask.lengths, 0, S + 1);
  if (mask.row_begin.empty()) {
    check(queries.shape.rank() == 3, "[{}] queries must have three axes. Received {}", kernel,
          queries.shape);
    return check_shape(kernel, "queries", queries, {queries.shape[0], B, A});
  }
  check_matrix(kernel, "queries", queries, queries.shape.rows(), A);
  check_row_begin(kernel, mask.row_begin, B, queries.shape.rows());
}

// Pairs of a query and a position that it sees. The host can't read the mask of a GPU, whose pairs
// are therefore counted as if nothing were padding.
int64_t count_pairs(const AttentionOperands& operands, const AttentionMask& mask) {
  const int64_t B = operands.keys.shape[1];
  if (mask.lengths.device != Device::cpu)
    return operands.queries.shape.rows() * operands.keys.shape[0];
  int64_t pairs = 0;
  for (int64_t b = 0; b < B; ++b) {
    const int64_t queries = mask.row_begin.empty()
                                ? operands.queries.shape[0]
                                : mask.row_begin.data[b + 1] - mask.row_begin.data[b];
    pairs += mask.lengths.data[b] * queries;
  }
  return pairs;
}

// The forward pass reads each key and value of a sentence once per query and evaluates additive
// scores; the backward pass does as much again for each operand's gradient.
void count_attention(const AttentionForm& form, const AttentionOperands& operands,
                     const AttentionMask& mask, int64_t passes) {
  const int64_t A = operands.keys.shape[2], D = operands.values.shape[2];
  const int64_t pairs = count_pairs(operands, mask);
  count_elements(passes * pairs * (A + D), form.score == ScoreKind::additive ? pairs * A : 0);
}

}  // namespace

void attention_forward(const AttentionForm& form, const AttentionOperands& operands,
                       const AttentionMask& mask, const AttentionResult& result) {
  const char* kernel = "attention_forward";
  const auto& [queries, keys, values] = operands;
  check_operands(kernel, form, operands, mask);
  check_matrix(kernel, "weights", result.weights, queries.shape.rows(), keys.shape[0]);
  check_matrix(kernel, "context", result.context, queries.shape.rows(), values.shape[2]);
  count_attention(form, operands, mask, 1);
  const Device device = device_of(kernel, form.v, queries, keys, values, mask.lengths,
                                  mask.row_begin, result.weights, result.context);
  on(device, [&] { cpu::attention_forward(form, operands, mask, result); });
}

void attention_backward(const AttentionForm& form, const AttentionOperands& operands,
                        const AttentionMask& mask, const Tensor& weights,
                        const AttentionResult& dresult, const AttentionGradients& into) {
  const char* kernel = "attention_backward";
  const auto& [queries, keys, values] = operands;
  check(mask.row_begin.empty(), "[{}] queries must be time-major", kernel);
  check_operands(kernel, form, operands, mask);
  check_shape(kernel, "weights", weights, {queries.shape[0], keys.shape[1], keys.shape[0]});
  check_shape(kernel, "dresult.context", dresult.context,
              {queries.shape[0], keys.shape[1], values.shape[2]});
  if (!dresult.weights.empty())
    check_shape(kernel, "dresult.weights", dresult.weights, weights.shape);
  check_shape(kernel, "into.queries", into.queries, queries.shape);
  check_shape(kernel, "into.keys", into.keys, keys.shape);
  check_shape(kernel, "into.values", into.values, values.shape);
  if (form.score == ScoreKind::additive)
    check_matrix(kernel, "into.v_rows", into.v_rows, keys.shape[1], keys.shape[2]);
  count_attention(form, operands, mask, 3);
  const Device device =
      device_of(kernel, form.v, queries, keys, values, mask.lengths, weights, dresult.weights,
                dresult.context, into.queries, into.keys, into.values, into.v_rows);
  on(device, [&] { cpu::attention_backward(form, operands, mask, weights, dresult, into); });
}

}  // namespace heed::kernels
