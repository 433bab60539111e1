// The first half of an update: loss and gradients of a batch. The second half is an Optimizer's
// step.
#pragma once

#include "nn/model.h"
#include "tensor/arena.h"

namespace heed {

struct GradientFigures {
  double loss;           // mean smoothed cross-entropy a target token
  double cross_entropy;  // sum of -log p over target tokens
  int64_t tokens;        // real target tokens
  double norm;           // global gradient norm
};

// Leaves the gradients of the batch in the model's store; the arena is reset first and holds the
// tape.
GradientFigures compute_gradients(Model& model, Arena& arena, const Batch& batch,
                                  const ForwardOptions& options);

// total [1] = the square of the global gradient norm; not finite if a gradient is not.
void sum_squared_gradients(ParameterStore& store, const Sums& total);

// Dropout, label smoothing and the seed of the masks for one update of a run.
ForwardOptions forward_options(const Config& config, int64_t update);

}  // namespace heed
