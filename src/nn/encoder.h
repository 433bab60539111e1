// Source ids to states: an embedding and layers of GRU or LSTM, in one direction or two.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "autograd/ops.h"
#include "config/config.h"
#include "nn/cells/cell.h"
#include "nn/forward_options.h"
#include "text/batch.h"

namespace heed {

// Word vectors of ids [T, B], times sqrt(E): a table that starts with deviation 1 / sqrt(E), as an
// output layer tied to it needs, gives the cells inputs of deviation 1 (Vaswani et al. 2017, 3.4).
Var embed(Tape& tape, const Parameter& table, const TokenId* ids, const Shape& shape);

// Word vectors [S, B, E], each times its factor [S, B] (empty: as they are), as a leaf of the tape.
Var scaled_words(Tape& tape, const Tensor& words, std::span<const Real> factors);

// What the decoder gets of a batch. D = hidden x directions.
struct EncoderOutput {
  Var states;              // [S, B, D]
  Var summary;             // [B, D]: last state of the forward, first of the backward direction
  const int32_t* lengths;  // [B]
};

class Encoder {
 public:
  // `table` is the source embedding [V, E]. Declares "encoder.L.forward.*" and
  // "encoder.L.backward.*".
  Encoder(const EncoderConfig& config, ParameterStore& store, const Parameter& table);
  int64_t state_size() const;  // D
  // The word vectors of the source [S, B, E].
  Var words(Tape& tape, const Batch& batch) const;
  // `words` may be others than those of words(): explanations change them.
  EncoderOutput run(Tape& tape, Var words, const Batch& batch, const ForwardOptions& options) const;
  EncoderOutput run(Tape& tape, const Batch& batch, const ForwardOptions& options) const {
    return run(tape, words(tape, batch), batch, options);
  }

 private:
  struct Layer {
    std::unique_ptr<Cell> forward, backward;  // backward null when not bidirectional
  };
  Var run_layer(Tape& tape, size_t index, Var input, const uint8_t* valid,
                const ForwardOptions& options, Var& summary) const;

  const Parameter& table_;
  std::vector<Layer> layers_;
};

}  // namespace heed
