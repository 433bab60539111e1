// The kinds of encoders and decoders, by their names in model.encoder.kind and model.decoder.kind.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autograd/parameters.h"
#include "config/config.h"
#include "nn/decoder.h"
#include "nn/encoder.h"

namespace heed {

// Declares "encoder.*" in the store. Throws UserError for an unknown kind.
std::unique_ptr<Encoder> make_encoder(const ModelConfig& config, ParameterStore& store);
// Declares "attention.*", "decoder.*" and "readout.*". Throws UserError if sizes don't fit,
// naming the keys.
std::unique_ptr<Decoder> make_decoder(const ModelConfig& config, ParameterStore& store,
                                      int64_t state_size /*D*/, int64_t readout /*R*/);

std::vector<std::string> encoder_kinds();
std::vector<std::string> decoder_kinds();

}  // namespace heed
