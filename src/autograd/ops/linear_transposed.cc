// y = x W^T + b.  dx += dy W,  dW += dy^T x,  db += the column sums of dy.
#include "autograd/ops.h"
#include "base/error.h"

namespace heed {

Var linear_transposed(Tape& tape, Var x, const Parameter& weight, const Parameter* bias) {
  const int64_t rows = x.shape().rows(), in = weight.value.shape.last(),
                out = weight.value.shape[0];
  check(x.shape().last() == in,
        "[linear_transposed] x has as many columns as {}. Received {} and {}", weight.name,
        x.shape().text(), weight.value.shape.text());
  Shape shape = x.shape();
  shape.set_last(out);
  Var y = tape.result(shape, true);
  kernels::gemm_packed(x.value(), weight.packed_transposed(), y.value(), false);
  if (bias != nullptr) kernels::add_bias(bias->value, y.value());
  tape.record([&tape, x, y, w = &weight, bias, rows, in, out] {
    const Tensor dy = tape.gradient(y).reshaped({rows, out});
    if (x.needs_gradient()) kernels::gemm_packed(dy, w->packed(), tape.gradient(x), true);
    if (!w->gradient.empty())
      kernels::gemm(dy, true, x.value().reshaped({rows, in}), false, w->gradient, true);
    if (bias != nullptr && !bias->gradient.empty()) kernels::sum_rows(dy, bias->gradient);
  });
  return y;
}

}  // namespace heed
