// The rooms of a model, as the model and its search sessions see them.
#pragma once

#include <memory>

#include "nn/decoder.h"
#include "nn/encoder.h"

namespace heed {

struct Parts {
  // Declares every parameter in the store. Throws UserError where sizes don't fit, naming both
  // keys.
  Parts(const ModelConfig& config, ParameterStore& store, int64_t source_vocabulary,
        int64_t target_vocabulary);

  Var embed_target(Tape& tape, const TokenId* ids, const Shape& shape,
                   const ForwardOptions& options) const;
  // Encoder and decoder over a batch with its whole target.
  DecoderOutput run(Tape& tape, const Batch& batch, const ForwardOptions& options) const;

  const Parameter* target_embedding;  // [Vt, E]
  const Parameter* source_embedding;  // [Vs, E]; the same when all embeddings are tied
  std::unique_ptr<Encoder> encoder;
  std::unique_ptr<Decoder> decoder;
  const Parameter* output_weight;  // [Vt, R]; the target embedding when tied
  const Parameter* output_bias;    // [Vt]
};

}  // namespace heed
