// The autodiff tape: define-by-run and eager. An op computes its value, records its backward
// function and returns a Var.
//
// Gradients accumulate: an op adds to those of its inputs. An op that is the only reader of a
// result may store the gradient in the result's own memory (gradient_in_place); an op that
// overwrites its input takes it as Consumed. All memory comes from the Arena, so a tape lives for
// one step: reset the arena when it is done. The memory of a result and of its gradient is reused
// as soon as the backward function of the op that made it has run, so that the backward pass needs
// little more memory than the forward pass.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/parameters.h"
#include "autograd/profile.h"
#include "base/error.h"
#include "tensor/arena.h"
#include "tensor/recycler.h"
#include "tensor/tensor.h"

namespace heed {

// A value on the tape. Cheap to copy: it points into the tape, and must not be used after it.
class Var {
 public:
  Var() = default;
  explicit operator bool() const { return node_ != nullptr; }
  // Throws InternalError if an op has consumed the value.
  const Tensor& value() const {
    check(!node_->consumed, "[value] an op has overwritten it. Received shape {}", shape());
    return node_->value;
  }
  const Shape& shape() const { return node_->value.shape; }
  bool needs_gradient() const { return node_->needs_gradient; }

 private:
  friend class Tape;
  struct Node {
    Tensor value;
    Tensor gradient;  // empty until first asked for
    bool needs_gradient;
    // Whether the memory belongs to this node: not for views and leaves.
    bool owns_value = false, owns_gradient = false;
    bool gave_up_value = false, consumed = false;
    // Set if the node is a view: its gradient begins `offset` elements into that of `whole`.
    Node* whole = nullptr;
    int64_t offset = 0;
  };
  explicit Var(Node* node) : node_(node) {}
  Node* node_ = nullptr;
};

// An input that an op overwrites: made by Tape::consume(), used up by the op that takes it.
class Consumed {
 public:
  Consumed(Consumed&&) = default;
  Consumed& operator=(Consumed&&) = default;
  // The value for the op itself, which may read it until it overwrites it, and its gradient.
  Var var() const { return var_; }
  const Shape& shape() const { return var_.shape(); }

 private:
  friend class Tape;
  explicit Consumed(Var var) : var_(var) {}
  Var var_;
};

class Tape {
 public:
  // With recording off nothing is kept: the same model code runs for translation and validation.
  Tape(Arena& arena, bool recording) : arena_(arena), recording_(recording), memory_(arena) {}
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  bool recording() const { return recording_; }
  Arena& arena() { return arena_; }

  // A value that no gradient flows into.
  Var constant(const Tensor& value) { return make(value, false); }
  // A leaf whose gradient is kept (inputs in tests, parameters): `gradient` may be an existing
  // buffer to add to.
  Var leaf(const Tensor& value, const Tensor& gradient = {});
  Var parameter(Parameter& p) { return leaf(p.value, p.gradient); }
  // A new, uninitialised result of an op over inputs; it needs a gradient if the tape
  // records and `needs_gradient`.
  Var result(const Shape& shape, bool needs_gradient);

  // Views: they share memory and gradient with `v`, so ops that write their result into one fill
  // the whole without a copy. Step t of a sequence [T, ...]:
  Var at(Var v, int64_t t) { return view(v, v.value().at(t)); }
  // Steps begin to end - 1.
  Var slice(Var v, int64_t begin, int64_t end) { return view(v, v.value().slice(begin, end)); }
  // The same elements under another shape.
  Var reshape(Var v, const Shape& shape) { return view(v, v.value().reshaped(shape)); }

  // Hands v to the one op that overwrites it. value() of v and of its copies throws from now on;
  // other views of the same memory are not tracked. Gradients of v can be asked for as before.
  Consumed consume(Var v);

  // The gradient of v, zero at first. Only for a v that needs one. After backward() there are only
  // those of leaves, and of the results only values of a few elements, as a loss.
  Tensor gradient(Var v);
  // The same, but empty if nobody has asked for the gradient yet: then it is zero.
  Tensor gradient_if_any(Var v) const;
  // The gradient of v in the memory of its value: for the only op that reads v, a result, once it
  // is done with the value. Uninitialised: the op writes every element instead of adding. If v is a
  // view, the value of the whole is lost, and all its parts are to be written so.
  Tensor gradient_in_place(Var v);
  // Declares that no backward function reads the value of v. Its gradient, zero at first, then
  // reuses the memory of the value. v must not be a view.
  void give_up_value(Var v);
  // Uninitialised memory for the backward function that asks for it, until it returns.
  Tensor scratch(const Shape& shape);
  // The gradient of v or, if it needs none, zeros for a kernel that adds to it all the same.
  Tensor gradient_or_scratch(Var v);

  // Keeps the backward function of an op: called once, in reverse order of recording. Its captures
  // are moved into the tape and must be trivially destructible (Vars, Tensors, numbers, pointers).
  template <typename F>
  void record(F backward) {
    static_assert(std::is_trivially_destructible_v<F>, "captures must not own anything");
    if (!recording_) return;
    records_.push_back({[](void* f) { (*static_cast<F*>(f))(); },
                        objects_.make(std::move(backward)), OpScope::current(), results_.size()});
  }

  // d loss / d loss = 1, then every recorded function in reverse order. `loss` has one element.
  // Once per tape.
  void backward(Var loss);
  // The same from gradients that the caller has put into gradient(v).
  void backward();

 private:
  // A recorded backward function.
  struct Record {
    void (*call)(void*);
    void* function;
    const char* op;
    size_t results;  // how many there were when it was recorded: it knows of no later ones
  };
  Var make(const Tensor& value, bool needs_gradient);
  // `value` is a part of the value of `of`.
  Var view(Var of, const Tensor& value);
  // Gives back the memory of all results from number `first` on.
  void forget(size_t first);

  Arena& arena_;
  HostArena objects_;  // nodes and backward functions
  bool recording_;
  Recycler memory_;
  std::vector<Record> records_;
  std::vector<Var::Node*> results_;  // those that need a gradient, in order of creation
  std::vector<Tensor> scratch_;      // of the backward function that runs
};

}  // namespace heed
