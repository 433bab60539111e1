// How the source tokens of one pair affect the probability of each target token: by gradients, and
// by erasing tokens. Memory is bounded by `batch_tokens`, the padded tokens per batch; results
// don't depend on other pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/explanation.h"
#include "nn/model.h"
#include "tensor/arena.h"

namespace heed {

// A pair without </s>, and the memory for the batches that are made of it.
struct EffectInput {
  Model& model;
  std::span<const TokenId> source, target;
  int64_t batch_tokens;  // padded tokens per batch, of the longer side; at least one row
  Arena& arena;          // reset for each batch
};

// A scale of all source word vectors, and the weight of the gradient at this scale.
struct GradientPoint {
  double scale, weight;
};

// Gradient x input (Model::source_influence) with all source word vectors multiplied by the scale
// of a point, summed over `points` with their weights: [target + 1][source + 1]. The point {1, 1}
// gives plain gradient x input.
Matrix gradient_effects(const EffectInput& input, std::span<const GradientPoint> points);

// The points of integrated gradients, whose weighted sum is the integral over the scale from 0 to 1
// (Sundararajan et al. 2017, equation 1). They are Gauss-Legendre nodes (quadrature.h) in u, with
// scale = u^2: denser near zero, where the model is most sensitive to small changes. 1 <= steps.
std::vector<GradientPoint> integration_points(int64_t steps);

// The exact sums of integrated gradients: log p of each target token minus its log p with all
// source word vectors zero. `log_p` [target + 1] is that of the whole source.
std::vector<double> gains_over_zero(const EffectInput& input, std::span<const double> log_p);

// remove: the tokens are taken out of the sentence; without </s> it ends one token earlier.
// zero:   their word vectors become zero; the length of the sentence stays.
enum class Erase { remove, zero };

// log p of each target token minus its log p with a group of source tokens erased:
// [target + 1][groups]. Group g begins at begins[g] and ends where the next one begins; the last
// holds </s> alone. `log_p` [target + 1] is that of the whole source. If nothing would be left of
// the source (remove, </s> of an empty source), the difference is 0.
Matrix erasure_effects(const EffectInput& input, std::span<const double> log_p,
                       const std::vector<size_t>& begins, Erase erase);

}  // namespace heed
