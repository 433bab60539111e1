// What gru_sequence and lstm_sequence share: where the states of a walk lie, and the recurrent
// product with the variational dropout of h[t-1].
#pragma once

#include "autograd/ops.h"

namespace heed {

// The states of a walk over T steps with the initial one where the walk begins, first or in reverse
// last: so the states before all steps, and those after, are each T in a row. (What nn/history.h is
// to single steps.)
struct States {
  Var all;  // [T + 1, B, H]
  bool reverse;

  int64_t T() const { return all.shape()[0] - 1; }
  // The i-th step of the walk.
  int64_t step(int64_t i) const { return reverse ? T() - 1 - i : i; }
  // Where in `all` a step finds its state, and where it puts the next one.
  int64_t before(int64_t t) const { return reverse ? t + 1 : t; }
  int64_t after(int64_t t) const { return reverse ? t : t + 1; }
  int64_t initial() const { return reverse ? T() : 0; }
};

// With the initial state given, or zero where it is empty.
inline States make_states(Tape& tape, Var initial, const Shape& shape /*[T, B, H]*/, bool reverse) {
  const States states{tape.result({shape[0] + 1, shape[1], shape[2]}, true), reverse};
  const Tensor place = states.all.value().at(states.initial());
  if (initial)
    kernels::copy(initial.value(), place);
  else
    kernels::fill(place, 0);
  return states;
}

// What the steps give: [T, B, H].
inline Var after_steps(Tape& tape, const States& states) {
  const int64_t first = states.after(0);
  return tape.slice(states.all, first, first + states.T());
}

// The recurrent product of a layer.
struct Recurrence {
  const Parameter* weight;
  Tensor mask;    // [B, H], or empty: no dropout
  Tensor masked;  // [T, B, H]: the mask times the state before each step; empty without one

  Recurrence(Tape& tape, const Parameter& recurrent, const Shape& shape /*[T, B, H]*/,
             const SequenceOptions& options)
      : weight(&recurrent),
        mask(dropout_mask(tape, {shape[1], shape[2]}, options.recurrent_dropout, options.key)),
        masked(mask.empty() ? Tensor{} : tape.arena().tensor(shape)) {}

  // What the product of step t reads: m h[t-1].
  Tensor input(const States& states, int64_t t) const {
    const Tensor h = states.all.value().at(states.before(t));
    if (mask.empty()) return h;
    kernels::multiply(h, mask, masked.at(t));
    return masked.at(t);
  }
  // Scratch for backward().
  Tensor scratch(Tape& tape) const { return mask.empty() ? Tensor{} : tape.scratch(mask.shape); }
  // dh += m (dhid U^T). dmasked [B, H] is scratch, empty where the mask is.
  void backward(const Tensor& dhid, const Tensor& dmasked, const Tensor& dh) const {
    if (mask.empty()) return kernels::gemm_packed(dhid, weight->packed_transposed(), dh, true);
    kernels::gemm_packed(dhid, weight->packed_transposed(), dmasked, false);
    kernels::multiply_add(dmasked, mask, dh);
  }
  // dU += (m H)^T dHID, over all steps.
  void add_gradient(const States& states, const Tensor& dhid) const {
    const int64_t first = states.before(0), rows = dhid.shape.rows(), H = weight->value.shape[0];
    const Tensor inputs =
        mask.empty() ? states.all.value().slice(first, first + states.T()) : masked;
    weight->add_gradient(inputs.reshaped({rows, H}), dhid.reshaped({rows, dhid.shape.last()}));
  }
};

inline const uint8_t* valid_at(const SequenceOptions& options, int64_t t, int64_t B) {
  return options.valid == nullptr ? nullptr : options.valid + t * B;
}

}  // namespace heed
