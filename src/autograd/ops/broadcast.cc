// y[i, :] = b.  db += the column sums of dy.
#include "autograd/ops.h"

namespace heed {

Var broadcast(Tape& tape, const Parameter* bias, const Shape& shape) {
  const OpScope scope("broadcast");
  Var y = tape.result(shape, true);
  kernels::fill(y.value(), 0);
  if (bias == nullptr) return y;
  kernels::add_bias(bias->value, y.value());
  tape.record([&tape, y, bias] {
    if (!bias->gradient.empty()) kernels::sum_rows(tape.gradient(y), bias->gradient);
  });
  return y;
}

}  // namespace heed
