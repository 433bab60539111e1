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

// Gradient x input (Model::source_influence): the mean over `scales` of what it gives where all
// source word vectors are multiplied by the scale. [target + 1][source + 1]. With the scale 1 that
// is the plain one.
Matrix gradient_effects(const EffectInput& input, std::span<const double> scales);

// The scales of integrated gradients (Sundararajan et al. 2017, equation 3), in the middle of the
// steps, (k - 1/2) / steps: the error then falls with the square of the number of steps.
std::vector<double> integration_scales(int64_t steps);

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
