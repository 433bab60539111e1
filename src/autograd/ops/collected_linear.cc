// Step t, and all steps together, with X [T*B, K] and dY [T*B, C]:
//   y[t] += x[t] W,  dx[t] += dy[t] W^T
//   dW += X^T dY
// The function for dW is recorded before the steps, so it runs after all of theirs.
// add_linear is the case of one step.
#include "autograd/ops.h"
#include "base/error.h"

namespace heed {

CollectedLinear::CollectedLinear(Tape& tape, const Parameter& weight, Var into, Var inputs)
    : tape_(tape), weight_(weight), into_(into), copies_(!inputs) {
  const OpScope scope("CollectedLinear");
  const Shape& shape = into.shape();
  const int64_t in = weight.value.shape[0], out = weight.value.shape.last();
  check(shape.rank() == 3 && shape[2] == out,
        "[CollectedLinear] sums go into [T, B, {}]. Received {}", out, shape);
  check(copies_ || inputs.shape() == Shape{shape[0], shape[1], in},
        "[CollectedLinear] the inputs are [{}, {}, {}]. Received {}", shape[0], shape[1], in,
        copies_ ? Shape{} : inputs.shape());
  if (!tape.recording()) return;
  inputs_ = copies_ ? tape.arena().tensor({shape[0], shape[1], in}) : inputs.value();
  tape.record([&tape, x = inputs_, into, w = &weight, rows = shape[0] * shape[1], in, out] {
    if (w->gradient.empty()) return;  // then nobody needs the gradient of `into` here
    w->add_gradient(x.reshaped({rows, in}), tape.gradient(into).reshaped({rows, out}));
  });
}

void CollectedLinear::step(int64_t t, Var x) {
  const OpScope scope("CollectedLinear");
  Var y = tape_.at(into_, t);
  kernels::gemm_packed(x.value(), weight_.packed(), y.value(), true);
  if (!tape_.recording()) return;
  if (copies_) kernels::copy(x.value(), inputs_.at(t));
  check(copies_ || inputs_.at(t).starts_with(x.value()),
        "[CollectedLinear] x is step {} of the inputs. Received another", t);
  tape_.record([tape = &tape_, x, y, w = &weight_] {
    if (x.needs_gradient())
      kernels::gemm_packed(tape->gradient(y), w->packed_transposed(), tape->gradient(x), true);
  });
}

void add_linear(Tape& tape, Var x, const Parameter& weight, Var into) {
  const int64_t rows = x.shape().rows();
  const Var inputs = tape.reshape(x, {1, rows, x.shape().last()});
  CollectedLinear product(tape, weight, tape.reshape(into, {1, rows, into.shape().last()}), inputs);
  product.step(0, tape.at(inputs, 0));
}

}  // namespace heed
