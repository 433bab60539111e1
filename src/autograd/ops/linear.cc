// linear, and linear_transposed, which has W^T in the place of W:
//   y = x W + b:    dx += dy W^T,  dW += x^T dy,  db += the column sums of dy
//   y = x W^T + b:  dx += dy W,    dW += dy^T x,  db += the column sums of dy
#include "autograd/ops.h"
#include "base/error.h"

namespace heed {
namespace {

Var product(Tape& tape, Var x, const Parameter& weight, bool transposed, const Parameter* bias) {
  const auto packed = [](const Parameter& w, bool as_transposed) -> const kernels::PackedMatrix& {
    return as_transposed ? w.packed_transposed() : w.packed();
  };
  const int64_t rows = x.shape().rows(), in = x.shape().last(),
                out = transposed ? weight.value.shape[0] : weight.value.shape.last();
  Shape shape = x.shape();
  shape.set_last(out);
  Var y = tape.result(shape, true);
  if (bias != nullptr)
    kernels::gemm_packed(x.value(), packed(weight, transposed), bias->value, y.value());
  else
    kernels::gemm_packed(x.value(), packed(weight, transposed), y.value(), false);
  tape.record([&tape, x, y, packed, w = &weight, transposed, bias, rows, in, out] {
    const Tensor dy = tape.gradient(y).reshaped({rows, out}), xs = x.value().reshaped({rows, in});
    if (x.needs_gradient())
      kernels::gemm_packed(dy, packed(*w, !transposed), tape.gradient(x), true);
    w->add_gradient(transposed ? dy : xs, transposed ? xs : dy);
    if (bias != nullptr && !bias->gradient.empty()) kernels::sum_rows(dy, bias->gradient);
  });
  return y;
}

}  // namespace

Var linear(Tape& tape, Var x, const Parameter& weight, const Parameter* bias) {
  const OpScope scope("linear");
  check(x.shape().last() == weight.value.shape[0],
        "[linear] the columns of x are the rows of {}. Received {} and {}", weight.name, x.shape(),
        weight.value.shape);
  return product(tape, x, weight, false, bias);
}

Var linear_transposed(Tape& tape, Var x, const Parameter& weight, const Parameter* bias) {
  const OpScope scope("linear_transposed");
  check(x.shape().last() == weight.value.shape.last(),
        "[linear_transposed] x has as many columns as {}. Received {} and {}", weight.name,
        x.shape(), weight.value.shape);
  return product(tape, x, weight, true, bias);
}

}  // namespace heed
