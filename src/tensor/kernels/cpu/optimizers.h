// The CPU's optimizer steps, of operands that were checked; kernels.h says what they compute.
#pragma once

#include "tensor/kernels/kernels.h"

namespace heed::kernels::cpu {

void adam(const Tensor& gradient, Real gradient_scale, const AdamStep& step, const Tensor& m,
          const Tensor& v, const Tensor& parameters);
void sgd(const Tensor& gradient, Real gradient_scale, const SgdStep& step, const Tensor& velocity,
         const Tensor& parameters);
void adadelta(const Tensor& gradient, Real gradient_scale, const AdadeltaStep& step,
              const Tensor& mean_square, const Tensor& mean_square_update,
              const Tensor& parameters);

}  // namespace heed::kernels::cpu
