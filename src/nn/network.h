// The parts of a model, as the model and its search sessions see them.
#pragma once

#include <memory>

#include "nn/decoder.h"
#include "nn/embeddings.h"
#include "nn/encoder.h"
#include "nn/output_layer.h"

namespace heed {

struct Network {
  // Declares every parameter in the store. Throws UserError if sizes don't fit, naming both keys.
  Network(const ModelConfig& config, ParameterStore& store, const VocabularySizes& sizes);

  // Encoder over a source batch: its ids, or other word vectors [S, B, E] in their place.
  EncoderOutput encode(Tape& tape, const SourceBatch& batch, const ForwardOptions& options) const {
    return encode(tape, embeddings.source(tape, batch.ids), batch, options);
  }
  EncoderOutput encode(Tape& tape, Var words, const SourceBatch& batch,
                       const ForwardOptions& options) const;
  // Decoder over the whole target.
  DecoderOutput decode(Tape& tape, const EncoderOutput& encoded, const Ids& target_in,
                       const ForwardOptions& options) const;

  Embeddings embeddings;
  std::unique_ptr<Encoder> encoder;
  std::unique_ptr<Decoder> decoder;
  OutputLayer output;
};

}  // namespace heed
