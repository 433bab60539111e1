// The rooms of a model, as the model and its search sessions see them.
#pragma once

#include <memory>
#include <span>

#include "nn/decoder.h"
#include "nn/encoder.h"

namespace heed {

struct Parts {
  // Declares every parameter in the store. Throws UserError where sizes don't fit, naming both
  // keys.
  Parts(const ModelConfig& config, ParameterStore& store, int64_t source_vocabulary,
        int64_t target_vocabulary);

  // What the target words [T, rows] give to the decoder.
  WordInputs of_words(Tape& tape, const TokenId* ids, const Shape& shape,
                      const ForwardOptions& options) const;
  // The same of one step of a search, from the table where that is up to date.
  WordInputs of_words(Tape& tape, std::span<const TokenId> words) const;
  // Computes it for every word of the vocabulary, unless that was done since the weights changed or
  // would need too much memory. Changes speed only (with oneDNN no bit of a result, with Eigen the
  // last digits). Not beside a running search.
  void tabulate_words();
  // Encoder and decoder over a batch with its whole target.
  DecoderOutput run(Tape& tape, const Batch& batch, const ForwardOptions& options) const {
    return run(tape, encoder->words(tape, batch), batch, options);
  }
  // The same from other word vectors of the source [S, B, E].
  DecoderOutput run(Tape& tape, Var source_words, const Batch& batch,
                    const ForwardOptions& options) const;

  const ParameterStore& store;
  const Parameter* target_embedding;  // [Vt, E]
  const Parameter* source_embedding;  // [Vs, E]; the same when all embeddings are tied
  std::unique_ptr<Encoder> encoder;
  std::unique_ptr<Decoder> decoder;
  const Parameter* output_weight;  // [Vt, R]; the target embedding when tied
  const Parameter* output_bias;    // [Vt]

 private:
  struct WordTable {
    uint64_t version = 0;  // of the weights it was made from
    Arena memory;
    Tensor cell, readout;  // [Vt, gates * H], [Vt, R]
  };
  WordTable table_;
};

}  // namespace heed
