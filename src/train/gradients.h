// The first half of an update: the loss and the gradients of a batch. The optimizer's step is
// the second half.
#pragma once

#include <cmath>

#include "nn/model.h"
#include "tensor/arena.h"

namespace heed {

struct GradientFigures {
  double loss;           // smoothed cross-entropy, mean per target token
  double cross_entropy;  // sum of -log p over target tokens
  int64_t tokens;        // real target tokens
  double norm;           // global gradient norm, before clipping

  bool is_finite() const { return std::isfinite(loss) && std::isfinite(norm); }
};

// Leaves the gradients of the batch in the model's store; the arena is reset first and
// holds the tape.
GradientFigures compute_gradients(Model& model, Arena& arena, const Batch& batch,
                                  const ForwardOptions& options);

// total [1] = the square of the global gradient norm; not finite if a gradient is not.
void sum_squared_gradients(ParameterStore& store, const Sums& total);

// Dropout, label smoothing and the seed of the masks for one update of a run.
ForwardOptions forward_options(const Config& config, int64_t update);

}  // namespace heed
