// Kernels of optimizers.
#include "tensor/kernels/cpu/optimizers.h"

#include "tensor/kernels/checks.h"
#include "tensor/kernels/front/dispatch.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {

void adam(const Tensor& gradient, Real gradient_scale, const AdamStep& step, Tensor m, Tensor v,
          Tensor parameters) {
  const int64_t size = gradient.size();
  check_size("adam", "m", m, size);
  check_size("adam", "v", v, size);
  check_size("adam", "parameters", parameters, size);
  count_elements(7 * size);
  on(device_of("adam", gradient, m, v, parameters),
     [&] { cpu::adam(gradient, gradient_scale, step, m, v, parameters); });
}

void sgd(const Tensor& gradient, Real gradient_scale, const SgdStep& step, Tensor velocity,
         Tensor parameters) {
  const int64_t size = gradient.size();
  check_size("sgd", "velocity", velocity, size);
  check_size("sgd", "parameters", parameters, size);
  count_elements(5 * size);
  on(device_of("sgd", gradient, velocity, parameters),
     [&] { cpu::sgd(gradient, gradient_scale, step, velocity, parameters); });
}

void adadelta(const Tensor& gradient, Real gradient_scale, const AdadeltaStep& step,
              Tensor mean_square, Tensor mean_square_update, Tensor parameters) {
  const int64_t size = gradient.size();
  check_size("adadelta", "mean_square", mean_square, size);
  check_size("adadelta", "mean_square_update", mean_square_update, size);
  check_size("adadelta", "parameters", parameters, size);
  count_elements(7 * size);
  on(device_of("adadelta", gradient, mean_square, mean_square_update, parameters), [&] {
    cpu::adadelta(gradient, gradient_scale, step, mean_square, mean_square_update, parameters);
  });
}

}  // namespace heed::kernels
