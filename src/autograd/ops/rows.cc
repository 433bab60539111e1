// concat: the gradient's columns go back to their side.  select_rows: dx[rows[i], :] += dy[i, :].
// repeat: dx += the sum of dy over steps.  copy_rows: dx += dy.  weighted_sum: dx += dy w.
#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/transfer.h"

namespace heed {

Var concat(Tape& tape, Var a, Var b) {
  const OpScope scope("concat");
  check(a.shape().rows() == b.shape().rows(),
        "[concat] both sides have as many rows. Received {} and {}", a.shape(), b.shape());
  const int64_t left = a.shape().last();
  Shape shape = a.shape();
  shape.set_last(left + b.shape().last());
  Var y = tape.result(shape, a.needs_gradient() || b.needs_gradient());
  kernels::copy_into_columns(a.value(), 0, y.value());
  kernels::copy_into_columns(b.value(), left, y.value());
  tape.record([&tape, a, b, y, left] {
    if (a.needs_gradient()) kernels::add_from_columns(tape.gradient(y), 0, tape.gradient(a));
    if (b.needs_gradient()) kernels::add_from_columns(tape.gradient(y), left, tape.gradient(b));
  });
  return y;
}

Var select_rows(Tape& tape, Var x, const Ids& rows) {
  const OpScope scope("select_rows");
  const int64_t columns = x.shape().last();
  Var y = tape.result({rows.size(), columns}, x.needs_gradient());
  const Shape matrix{x.shape().rows(), columns};
  kernels::gather_rows(x.value().reshaped(matrix), rows, y.value());
  tape.record([&tape, x, y, rows, matrix] {
    if (x.needs_gradient())
      kernels::scatter_add_rows(tape.gradient(y), rows, tape.gradient(x).reshaped(matrix));
  });
  return y;
}

Var repeat(Tape& tape, Var x, int64_t T) {
  const OpScope scope("repeat");
  check(x.shape().rank() == 2, "[repeat] x is [B, C]. Received {}", x.shape());
  Var y = tape.result({T, x.shape()[0], x.shape()[1]}, x.needs_gradient());
  for (int64_t t = 0; t < T; ++t) kernels::copy(x.value(), y.value().at(t));
  tape.record([&tape, x, y, T] {
    if (!x.needs_gradient()) return;
    for (int64_t t = 0; t < T; ++t) kernels::add(tape.gradient(y).at(t), tape.gradient(x));
  });
  return y;
}

void copy_rows(Tape& tape, Var x, Var y) {
  const OpScope scope("copy_rows");
  check(x.shape() == y.shape(), "[copy_rows] shapes are equal. Received {} and {}", x.shape(),
        y.shape());
  kernels::copy(x.value(), y.value());
  tape.record([&tape, x, y] {
    if (x.needs_gradient()) kernels::add(tape.gradient(y), tape.gradient(x));
  });
}

Var weighted_sum(Tape& tape, Var x, const Tensor& weights) {
  const OpScope scope("weighted_sum");
  check(x.value().size() == weights.size(),
        "[weighted_sum] a weight for each element. Received {} and {}", x.shape(), weights.shape);
  Var y = tape.result(Shape{}, x.needs_gradient());
  const Shape row{1, weights.size()};
  kernels::dot_rows(x.value().reshaped(row), weights.reshaped(row), 1, y.value().reshaped({1}));
  tape.record([&tape, x, y, weights] {
    if (x.needs_gradient()) kernels::add_scaled(item(tape.gradient(y)), weights, tape.gradient(x));
  });
  return y;
}

}  // namespace heed
