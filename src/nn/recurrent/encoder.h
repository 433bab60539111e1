// Layers of GRU or LSTM, in one direction or two.
#pragma once

#include <memory>

#include "autograd/parameters.h"
#include "config/config.h"
#include "nn/encoder.h"

namespace heed {

// Declares "encoder.L.forward.*" and, in two directions, "encoder.L.backward.*". D = hidden x
// directions. The summary is the last state of the forward and the first of the backward direction.
std::unique_ptr<Encoder> make_recurrent_encoder(const ModelConfig& config, ParameterStore& store);

}  // namespace heed
