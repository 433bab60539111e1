#include "autograd/tape.h"

#include "base/error.h"
#include "tensor/kernels/kernels.h"

namespace heed {

Var Tape::make(const Tensor& value, bool needs_gradient) {
  void* place = arena_.bytes(sizeof(Var::Node), alignof(Var::Node));
  return Var(::new (place) Var::Node{value, {}, needs_gradient});
}

Var Tape::leaf(const Tensor& value, const Tensor& gradient) {
  Var v = make(value, recording_);
  v.node_->gradient = gradient;
  return v;
}

Var Tape::result(const Shape& shape, bool needs_gradient) {
  return make(arena_.tensor(shape), recording_ && needs_gradient);
}

Var Tape::step(Var sequence, int64_t t) {
  Var v = make(sequence.value().at(t), sequence.needs_gradient());
  if (v.needs_gradient()) v.node_->gradient = gradient(sequence).at(t);
  return v;
}

Var Tape::reshape(Var v, const Shape& shape) {
  Var r = make(v.value().reshaped(shape), v.needs_gradient());
  if (r.needs_gradient()) r.node_->gradient = gradient(v).reshaped(shape);
  return r;
}

Tensor Tape::gradient(Var v) {
  check(v.needs_gradient(), "[gradient] the value needs no gradient. Received shape {}",
        v.shape().text());
  if (v.node_->gradient.empty()) v.node_->gradient = arena_.zeros(v.shape());
  return v.node_->gradient;
}

void Tape::backward(Var loss) {
  check(loss.value().size() == 1, "[backward] the loss must have one element. Received {}",
        loss.shape().text());
  kernels::fill(gradient(loss), 1);
  backward();
}

void Tape::backward() {
  for (size_t i = steps_.size(); i-- > 0;) {
    const OpScope scope(steps_[i].op, true);
    steps_[i].call(steps_[i].function);
  }
  steps_.clear();
}

}  // namespace heed
