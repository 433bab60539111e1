// The recurrent product of gru_sequence and lstm_sequence, with the variational dropout of h[t-1].
#pragma once

#include "autograd/history.h"
#include "autograd/ops.h"

namespace heed {

struct Recurrence {
  const Parameter* weight;
  History states;
  Tensor mask;    // [B, H], or empty: no dropout
  Tensor masked;  // [T, B, H]: the mask times the state before each step; empty without one

  Recurrence(Tape& tape, const Parameter& recurrent, const History& history,
             const SequenceOptions& options)
      : weight(&recurrent),
        states(history),
        mask(dropout_mask(tape, history.before().value().at(0).shape, options.recurrent_dropout,
                          options.key)),
        masked(mask.empty() ? Tensor{} : tape.arena().tensor(history.before().shape())) {}

  // What the product of step t reads: m h[t-1].
  Tensor input(int64_t t) const {
    const Tensor h = states.before().value().at(t);
    if (mask.empty()) return h;
    kernels::multiply(h, mask, masked.at(t));
    return masked.at(t);
  }
  // Scratch for backward().
  Tensor scratch(Tape& tape) const { return mask.empty() ? Tensor{} : tape.scratch(mask.shape); }
  // dh += m (dhid U^T). dmasked [B, H] is scratch, empty if the mask is.
  void backward(const Tensor& dhid, const Tensor& dmasked, const Tensor& dh) const {
    if (mask.empty()) return kernels::gemm_packed(dhid, weight->packed_transposed(), dh, true);
    kernels::gemm_packed(dhid, weight->packed_transposed(), dmasked, false);
    kernels::multiply_add(dmasked, mask, dh);
  }
  // dU += (m H)^T dHID, over all steps.
  void add_gradient(const Tensor& dhid) const {
    const Tensor inputs = mask.empty() ? states.before().value() : masked;
    const int64_t rows = dhid.shape.rows();
    weight->add_gradient(inputs.reshaped({rows, inputs.shape.last()}),
                         dhid.reshaped({rows, dhid.shape.last()}));
  }
};

inline Flags valid_at(const SequenceOptions& options, int64_t t) {
  return options.valid.empty() ? Flags{} : options.valid.at(t);
}

}  // namespace heed
