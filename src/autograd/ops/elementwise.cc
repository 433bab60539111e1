// add: da += dy, db += dy.  multiply: da += dy b, db += dy a.
// tanh: dx += dy (1 - y^2).  sigmoid: dx += dy y (1 - y).
// dropout: y = x m / (1 - rate), dx += dy m / (1 - rate), with the same mask m drawn again.
// drop_rows: the same with one m for each row.
#include "autograd/ops.h"
#include "base/error.h"

namespace heed {

Var add(Tape& tape, Var a, Var b) {
  const OpScope scope("add");
  check(a.shape() == b.shape(), "[add] shapes are equal. Received {} and {}", a.shape(), b.shape());
  Var y = tape.result(a.shape(), a.needs_gradient() || b.needs_gradient());
  kernels::copy(a.value(), y.value());
  kernels::add(b.value(), y.value());
  tape.record([&tape, a, b, y] {
    if (a.needs_gradient()) kernels::add(tape.gradient(y), tape.gradient(a));
    if (b.needs_gradient()) kernels::add(tape.gradient(y), tape.gradient(b));
  });
  return y;
}

Var multiply(Tape& tape, Var a, Var b) {
  const OpScope scope("multiply");
  check(a.shape() == b.shape(), "[multiply] shapes are equal. Received {} and {}", a.shape(),
        b.shape());
  Var y = tape.result(a.shape(), a.needs_gradient() || b.needs_gradient());
  kernels::multiply(a.value(), b.value(), y.value());
  tape.record([&tape, a, b, y] {
    if (a.needs_gradient()) kernels::multiply_add(tape.gradient(y), b.value(), tape.gradient(a));
    if (b.needs_gradient()) kernels::multiply_add(tape.gradient(y), a.value(), tape.gradient(b));
  });
  return y;
}

void tanh_into(Tape& tape, Var x, Var y) {
  const OpScope scope("tanh");
  check(x.shape() == y.shape(), "[tanh] shapes are equal. Received {} and {}", x.shape(),
        y.shape());
  kernels::tanh(x.value(), y.value());
  tape.record([&tape, x, y] {
    if (x.needs_gradient()) kernels::tanh_backward(y.value(), tape.gradient(y), tape.gradient(x));
  });
}

Var tanh(Tape& tape, Var x) {
  Var y = tape.result(x.shape(), x.needs_gradient());
  tanh_into(tape, x, y);
  return y;
}

Var sigmoid(Tape& tape, Var x) {
  const OpScope scope("sigmoid");
  Var y = tape.result(x.shape(), x.needs_gradient());
  kernels::sigmoid(x.value(), y.value());
  tape.record([&tape, x, y] {
    if (x.needs_gradient())
      kernels::sigmoid_backward(y.value(), tape.gradient(y), tape.gradient(x));
  });
  return y;
}

Var drop_rows(Tape& tape, Var x, Real rate, kernels::DropoutKey key) {
  if (rate == 0) return x;
  const OpScope scope("drop_rows");
  const Tensor mask = dropout_mask(tape, {x.shape().rows()}, rate, key);
  Var y = tape.result(x.shape(), x.needs_gradient());
  kernels::fill(y.value(), 0);
  kernels::add_scaled_rows(mask, x.value(), y.value());
  tape.record([&tape, x, y, mask] {
    if (x.needs_gradient()) kernels::add_scaled_rows(mask, tape.gradient(y), tape.gradient(x));
  });
  return y;
}

Tensor dropout_mask(Tape& tape, const Shape& shape, Real rate, kernels::DropoutKey key) {
  const OpScope scope("dropout");
  if (rate == 0) return {};
  Tensor mask = tape.arena().tensor(shape);
  kernels::fill(mask, 1);
  kernels::dropout(mask, rate, key, mask);
  return mask;
}

Var dropout(Tape& tape, Var x, Real rate, kernels::DropoutKey key) {
  const OpScope scope("dropout");
  check(rate >= 0 && rate < 1, "[dropout] the rate lies in [0, 1). Received {}",
        static_cast<double>(rate));
  if (rate == 0) return x;
  Var y = tape.result(x.shape(), x.needs_gradient());
  kernels::dropout(x.value(), rate, key, y.value());
  tape.record([&tape, x, y, rate, key] {
    if (x.needs_gradient())
      kernels::dropout_backward(tape.gradient(y), rate, key, tape.gradient(x));
  });
  return y;
}

}  // namespace heed
