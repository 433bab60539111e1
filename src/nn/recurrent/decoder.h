// Recurrent decoders, in the styles of Bahdanau et al. 2015 and Luong et al. 2015. Step t, with f
// the previous readout if input_feeding is on, else absent:
//   bahdanau:  c = attend(s[t-1])
//              s[t] = cell([e[t]; f; c], s[t-1])
//              r = tanh(s[t] Wrs + e[t] Wre + c Wrc + b)
//   luong:     s[t] = cell([e[t]; f], s[t-1])
//              c = attend(s[t])
//              r = tanh(s[t] Wrs + c Wrc + b)
// More layers stand on the first; attention and readout see the top one. The first state of a layer
// is tanh(summary W + b).
#pragma once

#include <memory>

#include "autograd/parameters.h"
#include "config/config.h"
#include "nn/decoder.h"

namespace heed {

// Declares "attention.*", "decoder.initial.L.*", "decoder.L.*", "readout.*". Throws UserError if
// the score can't take the sizes, naming the keys.
std::unique_ptr<Decoder> make_recurrent_decoder(const ModelConfig& config, ParameterStore& store,
                                                int64_t state_size /*D*/, int64_t readout /*R*/);

}  // namespace heed
