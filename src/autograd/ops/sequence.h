// What gru_sequence and lstm_sequence share: the order of the steps, and the recurrent product with
// the variational dropout of h[t-1].
#pragma once

#include "autograd/ops.h"

namespace heed {

// Step i of a walk over T steps, in the direction of the sequence.
struct Walk {
  int64_t T;
  bool reverse;
  int64_t step(int64_t i) const { return reverse ? T - 1 - i : i; }
};

// What the recurrent product of a step reads: h itself, or h with its mask, written to `place`.
inline Tensor recurrent_input(const Tensor& h, const Tensor& mask, const Tensor& place) {
  if (mask.empty()) {
    kernels::copy(h, place);
  } else {
    kernels::multiply(h, mask, place);
  }
  return place;
}

// The way back through the recurrent product: dh += m (dhid U^T). dmasked [B, H] is scratch, empty
// where the mask m is.
inline void recurrent_backward(const Tensor& dhid, const Parameter& recurrent, const Tensor& mask,
                               const Tensor& dmasked, const Tensor& dh) {
  if (mask.empty()) {
    kernels::gemm_packed(dhid, recurrent.packed_transposed(), dh, true);
    return;
  }
  kernels::gemm_packed(dhid, recurrent.packed_transposed(), dmasked, false);
  kernels::multiply_add(dmasked, mask, dh);
}

inline const uint8_t* valid_at(const SequenceOptions& options, int64_t t, int64_t B) {
  return options.valid == nullptr ? nullptr : options.valid + t * B;
}

}  // namespace heed
