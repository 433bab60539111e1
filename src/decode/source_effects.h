// What the source words of one pair do to the probability of each target token: by gradients, and
// by leaving words out. Memory is bounded by `batch_tokens`, the padded tokens a batch; results
// don't depend on other pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/explanation.h"
#include "nn/model.h"
#include "tensor/arena.h"

namespace heed {

// A pair without </s>, and a place for the batches made of it.
struct EffectInput {
  Model& model;
  std::span<const TokenId> source, target;
  int64_t batch_tokens;  // padded tokens of the longer side; a batch has at least one row
  Arena& arena;          // reset for each batch
};

// A scale of all source word vectors, and how much the gradient there counts.
struct GradientPoint {
  double scale, weight;
};

// Gradient x input (Model::source_influence): the sum over `points` of what it gives where all
// source word vectors are multiplied by the scale, times the weight. [target + 1][source + 1]. With
// the point {1, 1} that is the plain one.
Matrix gradient_effects(const EffectInput& input, std::span<const GradientPoint> points);

// The points of integrated gradients, whose sum is the integral over the scale from 0 to 1
// (Sundararajan et al. 2017, equation 1). They are the nodes of Gauss and Legendre
// (quadrature.h) in u, with scale = u^2: close to each other near zero, where the model
// answers to small changes most. 1 <= steps.
std::vector<GradientPoint> integration_points(int64_t steps);

// What integrated gradients add up to exactly: log p of each target token, less the same with all
// source word vectors zero. `log_p` [target + 1] are those of the whole source.
std::vector<double> gains_over_zero(const EffectInput& input, std::span<const double> log_p);

// remove: the tokens are taken out of the sentence, for </s> the sentence ends without it.
// zero:   their word vectors become zero, their places stay.
enum class Erase { remove, zero };

// log p of each target token minus the same with a group of source tokens erased: [target +
// 1][groups]. Group g begins at begins[g] and ends where the next begins; the last holds </s>
// alone. `log_p` [target + 1] are those of the whole source. Where nothing would be left to read
// (remove, </s> of an empty source) the difference is 0.
Matrix erasure_effects(const EffectInput& input, std::span<const double> log_p,
                       const std::vector<size_t>& begins, Erase erase);

}  // namespace heed
