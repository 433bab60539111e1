// The autodiff tape: define-by-run and eager. An op computes its value, records how its gradient
// flows, returns a Var.
//
// Gradients accumulate: an op adds into those of its inputs. Only where it is the one reader of a
// result may it write the gradient over the value instead (gradient_in_place). The
// numbers lie in the Arena, so a tape lives for one step: reset the arena when it is done. A
// result and its gradient are needed until the op that made it has been walked back; their memory
// then serves for the next gradients, so that the way back takes little more than the way there.
#pragma once

#include <map>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/parameters.h"
#include "autograd/profile.h"
#include "tensor/arena.h"
#include "tensor/tensor.h"

namespace heed {

// A value on the tape. Cheap to copy: it points into the tape, and is of no use after it.
class Var {
 public:
  Var() = default;
  explicit operator bool() const { return node_ != nullptr; }
  const Tensor& value() const { return node_->value; }
  const Shape& shape() const { return node_->value.shape; }
  bool needs_gradient() const { return node_->needs_gradient; }

 private:
  friend class Tape;
  struct Node {
    Tensor value;
    Tensor gradient;  // empty until first asked for
    bool needs_gradient;
    // Numbers of memory that are the node's own; 0: a part of another's, or a leaf's.
    int64_t own_value = 0, own_gradient = 0;
    bool gave_up_value = false;
    // Set where the node is a view: its gradient lies `offset` numbers into that of `whole`.
    Node* whole = nullptr;
    int64_t offset = 0;
  };
  explicit Var(Node* node) : node_(node) {}
  Node* node_ = nullptr;
};

class Tape {
 public:
  // With recording off nothing is kept: the same model code runs for translation and validation.
  Tape(Arena& arena, bool recording) : arena_(arena), recording_(recording) {}
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  bool recording() const { return recording_; }
  Arena& arena() { return arena_; }

  // A value that no gradient flows into.
  Var constant(const Tensor& value) { return make(value, false); }
  // A leaf whose gradient is kept (inputs in tests, parameters): `gradient` may be an existing
  // buffer to add into.
  Var leaf(const Tensor& value, const Tensor& gradient = {});
  Var parameter(Parameter& p) { return leaf(p.value, p.gradient); }
  // A new, uninitialised result of an op over inputs; it needs a gradient if the tape records and
  // `needs_gradient`.
  Var result(const Shape& shape, bool needs_gradient);
  // The same over memory that exists already.
  Var result(const Tensor& value, bool needs_gradient);

  // Step t of a sequence [T, ...] as a Var of its own that shares numbers and gradient with it: ops
  // that write their result into it fill the sequence without a copy.
  Var step(Var sequence, int64_t t);
  // Steps begin to end - 1 in the same way.
  Var slice(Var sequence, int64_t begin, int64_t end);
  // The same numbers and gradient under another shape.
  Var reshape(Var v, const Shape& shape);

  // The gradient of v, zero at first. Only for a v that needs one. After backward() there are only
  // those of leaves, and of the results only values of a few numbers, as a loss.
  Tensor gradient(Var v);
  // The gradient of v in the memory of its value: for the only op that reads v, a result, once it
  // is done with the numbers. Uninitialised: the op writes every number instead of adding. Where v
  // is a part of a result, the value of the whole is lost, and all its parts are to be written so.
  Tensor gradient_in_place(Var v);
  // Says that no function on the way back reads the numbers of v, a whole result: its gradient,
  // zero at first all the same, will lie there.
  void give_up_value(Var v);
  // Uninitialised memory for the backward function that asks for it, until it returns.
  Tensor scratch(const Shape& shape);
  // The gradient of v, or, where it needs none, zeros for a kernel that adds to it all the same.
  Tensor gradient_or_scratch(Var v);

  // Keeps the backward function of an op: called once, in reverse order of recording. Its captures
  // are copied into the tape and must be trivially destructible (Vars, Tensors, numbers, pointers
  // into the arena).
  template <typename F>
  void record(F backward) {
    static_assert(std::is_trivially_destructible_v<F>, "captures must not own anything");
    if (!recording_) return;
    void* place = nodes_.bytes(sizeof(F), alignof(F));
    ::new (place) F(std::move(backward));
    steps_.push_back(
        {[](void* f) { (*static_cast<F*>(f))(); }, place, OpScope::current(), results_.size()});
  }

  // d loss / d loss = 1, then every recorded function in reverse order. `loss` has one element.
  // Once a tape.
  void backward(Var loss);
  // The same from gradients that the caller has put into gradient(v).
  void backward();

 private:
  struct Step {
    void (*call)(void*);
    void* function;
    const char* op;
    size_t results;  // how many there were when it was recorded: it knows of no later ones
  };
  struct Memory {
    Real* data;
    int64_t numbers;
  };
  Var make(const Tensor& value, bool needs_gradient);
  // `value` is a part of the value of `of`.
  Var view(Var of, const Tensor& value);
  Memory take(int64_t numbers);
  void give_back(const Memory& memory);
  // Gives back what all results from number `first` on have.
  void forget(size_t first);

  Arena& arena_;
  Arena nodes_;  // and backward functions: apart from the numbers, whose free pieces then touch
  bool recording_;
  std::vector<Step> steps_;
  std::vector<Var::Node*> results_;  // those that need a gradient, in order of creation
  std::vector<Memory> scratch_;      // of the backward function that runs
  std::map<Real*, int64_t> spare_;   // memory that is free again, and its numbers; none touch
};

}  // namespace heed
