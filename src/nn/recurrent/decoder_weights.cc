#include "nn/recurrent/decoder_weights.h"

#include <string>

namespace heed {

DecoderWeights::DecoderWeights(const ModelConfig& config, ParameterStore& store, int64_t state_size,
                               int64_t readout)
    : luong(config.decoder.style == "luong"),
      feeding(config.decoder.input_feeding),
      readout_size(readout) {
  const DecoderConfig& d = config.decoder;
  const int64_t H = d.hidden;
  attention = make_attention(config.attention, store, H, state_size);
  for (int l = 0; l < d.layers; ++l) {
    const std::string layer = std::to_string(l);
    initial.push_back(
        {&store.add("decoder.initial." + layer + ".weight", {state_size, H}, Init::glorot),
         &store.add("decoder.initial." + layer + ".bias", {H}, Init::zero)});
    cells.push_back(make_cell(d.cell, store, "decoder." + layer, l == 0 ? config.embedding : H, H));
  }
  const int64_t input = cells.front()->input_size();
  if (!luong) context = &store.add("decoder.0.context", {state_size, input}, Init::glorot);
  if (feeding) feed = &store.add("decoder.0.feed", {readout, input}, Init::glorot);
  readout_state = &store.add("readout.state", {H, readout}, Init::glorot);
  if (!luong)
    readout_embedding = &store.add("readout.embedding", {config.embedding, readout}, Init::glorot);
  readout_context = &store.add("readout.context", {state_size, readout}, Init::glorot);
  readout_bias = &store.add("readout.bias", {readout}, Init::zero);
}

}  // namespace heed
