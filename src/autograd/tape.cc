#include "autograd/tape.h"

#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/round_up.h"
#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

constexpr int64_t kLine = 64 / sizeof(Real);  // memory is cut at cache lines
constexpr int64_t kFewNumbers = 1024;         // less is not worth keeping

}  // namespace

Var Tape::make(const Tensor& value, bool needs_gradient) {
  void* place = nodes_.bytes(sizeof(Var::Node), alignof(Var::Node));
  return Var(::new (place) Var::Node{value, {}, needs_gradient});
}

Var Tape::leaf(const Tensor& value, const Tensor& gradient) {
  Var v = make(value, recording_);
  v.node_->gradient = gradient;
  return v;
}

Var Tape::result(const Shape& shape, bool needs_gradient) {
  const Var v = result(arena_.tensor(shape), needs_gradient);
  v.node_->own_value = shape.size();
  return v;
}

Var Tape::result(const Tensor& value, bool needs_gradient) {
  const Var v = make(value, recording_ && needs_gradient);
  if (v.needs_gradient()) results_.push_back(v.node_);
  return v;
}

Var Tape::view(Var of, const Tensor& value) {
  const Var v = make(value, of.needs_gradient());
  Var::Node& node = *of.node_;
  v.node_->whole = node.whole != nullptr ? node.whole : &node;
  v.node_->offset = value.data - v.node_->whole->value.data;
  return v;
}

Var Tape::step(Var sequence, int64_t t) { return view(sequence, sequence.value().at(t)); }

Var Tape::slice(Var sequence, int64_t begin, int64_t end) {
  return view(sequence, sequence.value().slice(begin, end));
}

Var Tape::reshape(Var v, const Shape& shape) { return view(v, v.value().reshaped(shape)); }

Tensor Tape::gradient(Var v) {
  check(v.needs_gradient(), "[gradient] the value needs no gradient. Received shape {}",
        v.shape().text());
  Var::Node& node = *v.node_;
  if (node.whole != nullptr) {
    const Tensor whole = gradient(Var(node.whole));
    return {whole.data + node.offset, v.shape(), whole.device};
  }
  if (!node.gradient.empty()) return node.gradient;
  if (node.gave_up_value) {
    node.gradient = node.value;
  } else {
    const Memory memory = take(v.shape().size());
    node.own_gradient = memory.numbers;
    node.gradient = {memory.data, v.shape(), Device::cpu};
  }
  kernels::fill(node.gradient, 0);
  return node.gradient;
}

Tensor Tape::gradient_in_place(Var v) {
  Var::Node& node = v.node_->whole != nullptr ? *v.node_->whole : *v.node_;
  check(v.needs_gradient() && node.own_value > 0 && !node.gave_up_value &&
            (node.gradient.empty() || node.gradient.data == node.value.data),
        "[gradient_in_place] a result that needs a gradient and has none yet. Received shape {}",
        v.shape().text());
  if (node.gradient.empty()) node.gradient = node.value;
  return gradient(v);
}

void Tape::give_up_value(Var v) {
  check(v.node_->own_value > 0 || !v.needs_gradient(),
        "[give_up_value] a whole result. Received shape {}", v.shape().text());
  v.node_->gave_up_value = v.needs_gradient();
}

Tensor Tape::scratch(const Shape& shape) {
  return {scratch_.emplace_back(take(shape.size())).data, shape, Device::cpu};
}

Tensor Tape::gradient_or_scratch(Var v) {
  if (v.needs_gradient()) return gradient(v);
  const Tensor zeros = scratch(v.shape());
  kernels::fill(zeros, 0);
  return zeros;
}

// The smallest piece that is large enough, or new memory.
Tape::Memory Tape::take(int64_t numbers) {
  numbers = round_up(numbers, kLine);
  auto best = spare_.end();
  for (auto piece = spare_.begin(); piece != spare_.end(); ++piece)
    if (piece->second >= numbers && (best == spare_.end() || piece->second < best->second))
      best = piece;
  if (best == spare_.end()) return {arena_.tensor({numbers}).data, numbers};
  const auto [data, size] = *best;
  spare_.erase(best);
  give_back({data + numbers, size - numbers});
  return {data, numbers};
}

// Pieces that touch become one, so that results of different sizes can follow each other.
void Tape::give_back(const Memory& memory) {
  if (memory.numbers < kFewNumbers) return;
  Real* data = memory.data;
  int64_t numbers = round_up(memory.numbers, kLine);  // the arena leaves the rest of a line free
  const auto after = spare_.lower_bound(data);
  if (after != spare_.end() && data + numbers == after->first) {
    numbers += after->second;
    spare_.erase(after);
  }
  const auto next = spare_.lower_bound(data);
  if (next != spare_.begin() && std::prev(next)->first + std::prev(next)->second == data)
    std::prev(next)->second += numbers;
  else
    spare_.emplace(data, numbers);
}

void Tape::forget(size_t first) {
  for (; results_.size() > first; results_.pop_back()) {
    Var::Node& node = *results_.back();
    give_back({node.value.data, std::exchange(node.own_value, 0)});
    give_back({node.gradient.data, std::exchange(node.own_gradient, 0)});
    node.gradient = {};
  }
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
    for (const Memory& memory : scratch_) give_back(memory);
    scratch_.clear();
    forget(i > 0 ? steps_[i - 1].results : 0);
  }
  steps_.clear();
}

}  // namespace heed
