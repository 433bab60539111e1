#include "autograd/tape.h"

#include <utility>

#include "tensor/kernels/kernels.h"

namespace heed {

Var Tape::make(const Tensor& value, bool needs_gradient) {
  return Var(objects_.make(Var::Node{value, {}, needs_gradient}));
}

Var Tape::leaf(const Tensor& value, const Tensor& gradient) {
  Var v = make(value, recording_);
  v.node_->gradient = gradient;
  return v;
}

Var Tape::result(const Shape& shape, bool needs_gradient) {
  const Var v = make(arena_.tensor(shape), recording_ && needs_gradient);
  v.node_->owns_value = true;
  if (v.needs_gradient()) results_.push_back(v.node_);
  return v;
}

Var Tape::view(Var of, const Tensor& value) {
  const Var v = make(value, of.needs_gradient());
  Var::Node& node = *of.node_;
  v.node_->whole = node.whole != nullptr ? node.whole : &node;
  v.node_->offset = v.node_->whole->value.offset_of(value);
  return v;
}

// The op gets a view of its own, the only one through which the value can still be read.
Consumed Tape::consume(Var v) {
  const Var own = view(v, v.value());
  v.node_->consumed = true;
  return Consumed(own);
}

Tensor Tape::gradient(Var v) {
  check(v.needs_gradient(), "[gradient] the value needs no gradient. Received shape {}", v.shape());
  Var::Node& node = *v.node_;
  if (node.whole != nullptr) return gradient(Var(node.whole)).part(node.offset, v.shape());
  if (!node.gradient.empty()) return node.gradient;
  if (node.gave_up_value) {
    node.gradient = node.value;
  } else {
    node.gradient = memory_.take(v.shape());
    node.owns_gradient = true;
  }
  kernels::fill(node.gradient, 0);
  return node.gradient;
}

Tensor Tape::gradient_if_any(Var v) const {
  const Var::Node& node = *v.node_;
  const Tensor& all = (node.whole != nullptr ? *node.whole : node).gradient;
  return all.empty() ? Tensor{} : all.part(node.offset, v.shape());
}

Tensor Tape::gradient_in_place(Var v) {
  Var::Node& node = v.node_->whole != nullptr ? *v.node_->whole : *v.node_;
  check(v.needs_gradient() && node.owns_value && !node.gave_up_value &&
            (node.gradient.empty() || node.gradient.starts_with(node.value)),
        "[gradient_in_place] a result that needs a gradient and has none yet. Received shape {}",
        v.shape());
  if (node.gradient.empty()) node.gradient = node.value;
  return gradient(v);
}

void Tape::give_up_value(Var v) {
  check(v.node_->owns_value || !v.needs_gradient(),
        "[give_up_value] a whole result. Received shape {}", v.shape());
  v.node_->gave_up_value = v.needs_gradient();
}

Tensor Tape::scratch(const Shape& shape) { return scratch_.emplace_back(memory_.take(shape)); }

Tensor Tape::gradient_or_scratch(Var v) {
  if (v.needs_gradient()) return gradient(v);
  const Tensor zeros = scratch(v.shape());
  kernels::fill(zeros, 0);
  return zeros;
}

void Tape::forget(size_t first) {
  for (; results_.size() > first; results_.pop_back()) {
    Var::Node& node = *results_.back();
    if (std::exchange(node.owns_value, false)) memory_.give_back(node.value);
    if (std::exchange(node.owns_gradient, false)) memory_.give_back(node.gradient);
    node.gradient = {};
  }
}

void Tape::backward(Var loss) {
  check(loss.shape().size() == 1, "[backward] the loss must have one element. Received {}",
        loss.shape());
  kernels::fill(gradient(loss), 1);
  backward();
}

void Tape::backward() {
  for (size_t i = records_.size(); i-- > 0;) {
    const OpScope scope(records_[i].op, true);
    records_[i].call(records_[i].function);
    for (const Tensor& memory : scratch_) memory_.give_back(memory);
    scratch_.clear();
    forget(i > 0 ? records_[i - 1].results : 0);
  }
  records_.clear();
}

}  // namespace heed
