// The CPU's kernels of softmax and losses, of operands that were checked; kernels.h says
// what they compute.
#pragma once

#include "tensor/kernels/kernels.h"

namespace heed::kernels::cpu {

void log_softmax(const Tensor& x, const Tensor& y);
void log_softmax_of_columns(const Tensor& x, const Ids& row_begin, const Ids& columns,
                            const Tensor& y);
void cross_entropy_in_place(const Tensor& logits, const Ids& targets, Real smoothing, Real scale,
                            const RowLosses& losses);
void cross_entropy(const Tensor& logits, const Ids& targets, Real smoothing,
                   const RowLosses& losses);
void sum_losses(const RowLosses& losses, const Tensor& mean, const Sums& totals);

}  // namespace heed::kernels::cpu
