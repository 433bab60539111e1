// What gru_sequence and lstm_sequence share: the order of the steps, and the variational dropout of
// h(t-1).
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

inline const uint8_t* valid_at(const SequenceOptions& options, int64_t t, int64_t B) {
  return options.valid == nullptr ? nullptr : options.valid + t * B;
}

}  // namespace heed
