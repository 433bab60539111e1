#include "nn/network.h"

#include "base/error.h"
#include "nn/table.h"

namespace heed {
namespace {

bool ties_output(const ModelConfig& config) { return config.tied_embeddings != "none"; }

// The size R of the vector before the output layer.
int64_t readout_size(const ModelConfig& config) {
  const int64_t readout = config.decoder.readout, E = config.embedding;
  if (!ties_output(config)) return readout > 0 ? readout : config.decoder.hidden;
  if (readout > 0 && readout != E)
    fail(
        "model.decoder.readout: is {} but must equal model.embedding ({}) when "
        "model.tied_embeddings is {}",
        readout, E, config.tied_embeddings);
  return E;
}

}  // namespace

Network::Network(const ModelConfig& config, ParameterStore& store, const VocabularySizes& sizes)
    : embeddings(config, store, sizes),
      encoder(make_encoder(config, store)),
      decoder(make_decoder(config, store, encoder->state_size(), readout_size(config))),
      output(store, ties_output(config) ? &embeddings.target_table() : nullptr, sizes.target,
             decoder->readout_size()) {}

EncoderOutput Network::encode(Tape& tape, Var words, const SourceBatch& batch,
                              const ForwardOptions& options) const {
  return encoder->run(tape, Embeddings::drop_source(tape, words, options), batch, options);
}

DecoderOutput Network::decode(Tape& tape, const EncoderOutput& encoded, const Ids& target_in,
                              const ForwardOptions& options) const {
  WordInputs words = decoder->of_words(tape, embeddings.target(tape, target_in, options));
  return decoder->run(tape, encoded, std::move(words), options);
}

}  // namespace heed
