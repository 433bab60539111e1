// What a pass through the model needs besides its inputs.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "base/real.h"
#include "tensor/kernels/kernels.h"

namespace heed {

// Dropout of one update: all rates 0 when not training.
struct DropoutRates {
  Real embedding = 0, states = 0, output = 0, recurrent = 0, word = 0;
};

struct ForwardOptions {
  DropoutRates dropout;
  uint64_t dropout_seed = 0;  // a function of (run.seed, update): resume draws the same masks
  Real label_smoothing = 0;
};

// Each place of dropout in the model draws from a stream of its own.
enum class DropoutPlace : uint64_t {
  source_embedding = 1,
  target_embedding,
  output,
  source_words,
  target_words,
  states = 100,              // + layer
  encoder_recurrent = 1000,  // + 2 * layer + direction
  decoder_recurrent = 2000,  // + layer
};

inline kernels::DropoutKey dropout_key(const ForwardOptions& options, DropoutPlace place,
                                       int64_t index = 0) {
  return {options.dropout_seed, static_cast<uint64_t>(place) + static_cast<uint64_t>(index)};
}

}  // namespace heed
