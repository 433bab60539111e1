// The CPU's attention, of operands that were checked; kernels/attention.h says what it computes.
#pragma once

#include "tensor/kernels/attention.h"

namespace heed::kernels::cpu {

void attention_forward(const AttentionForm& form, const AttentionOperands& operands,
                       const AttentionMask& mask, const AttentionResult& result);
void attention_backward(const AttentionForm& form, const AttentionOperands& operands,
                        const AttentionMask& mask, const Tensor& weights,
                        const AttentionResult& dresult, const AttentionGradients& into);

}  // namespace heed::kernels::cpu
