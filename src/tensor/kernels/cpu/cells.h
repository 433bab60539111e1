// The CPU's kernels of recurrent cells, of operands that were checked; kernels/cells.h says
// what they compute.
#pragma once

#include "tensor/kernels/cells.h"

namespace heed::kernels::cpu {

void gru_forward(const Tensor& x, const Tensor& hid, const Tensor& h, const Flags& valid,
                 const Tensor& gates, const Tensor& next);
void gru_backward(const Tensor& dnext, const GruStep& step, const Tensor& dx, const Tensor& dhid,
                  const Tensor& dh);
void lstm_forward(const Tensor& x, const LstmState& state, const Flags& valid, const Tensor& gates,
                  const LstmState& next);
void lstm_backward(const LstmState& dnext, const LstmStep& step, const Tensor& dx,
                   const LstmState& dstate);

}  // namespace heed::kernels::cpu
