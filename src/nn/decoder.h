// Target embeddings and attention to readout vectors, in the styles of Bahdanau et al. 2015 and
// Luong et al. 2015. Step t, with f the previous readout when input_feeding is on, else absent:
//   bahdanau:  c = attend(s[t-1])
//              s[t] = cell([e[t]; f; c], s[t-1])
//              r = tanh(s[t] Wrs + e[t] Wre + c Wrc + b)
//   luong:     s[t] = cell([e[t]; f], s[t-1])
//              c = attend(s[t])
//              r = tanh(s[t] Wrs + c Wrc + b)
// More layers stand on the first; attention and readout see the top one. With attention.score none,
// c is the encoder's summary at every step (Cho et al. 2014).
#pragma once

#include <memory>
#include <vector>

#include "autograd/ops.h"
#include "config/config.h"
#include "nn/attention/attention.h"
#include "nn/cells/cell.h"
#include "nn/encoder.h"
#include "nn/forward_options.h"

namespace heed {

// What attention reads, prepared once a batch.
struct AttentionMemory {
  Var keys, values;        // [S, B, A], [S, B, D]; empty for score none
  Var summary;             // [B, D]; in search [rows, D], and only for score none
  const int32_t* lengths;  // [B]
  // Search: rows first[b] to first[b + 1] - 1 are hypotheses of sentence b; null: row b is.
  const int32_t* first = nullptr;
};

// What the words before give to each step, which depends on no state: products of their embeddings,
// with the bias that goes with them. Decoder::run() writes over both (sums, gates): they serve
// once.
struct WordInputs {
  Var cell;     // [T, rows, gates * H], into the first cell
  Var readout;  // [T, rows, R]; luong: the bias alone
};

// State of `rows` hypotheses between two steps.
struct DecoderState {
  std::vector<CellState> layers;
  Var feed;  // [rows, R], with input feeding
};

struct DecoderOutput {
  Var readout;        // [T, rows, R]
  Tensor attention;   // [T, rows, S]; empty when recording or for score none
  DecoderState last;  // after step T - 1; only from step-by-step passes
};

class Decoder {
 public:
  // Declares "decoder.initial.L.*", "decoder.L.*", "attention.*", "readout.*". `embedding` is E,
  // state_size D.
  Decoder(const ModelConfig& config, ParameterStore& store, int64_t state_size, int64_t readout);

  AttentionMemory prepare(Tape& tape, const EncoderOutput& encoded) const;
  DecoderState start(Tape& tape, Var summary) const;
  WordInputs of_words(Tape& tape, Var embedded) const;  // embedded [T, rows, E]
  // T steps from `state`; rows = B unless `memory` says otherwise. want_last: the state after the
  // last step is needed (search).
  DecoderOutput run(Tape& tape, const AttentionMemory& memory, const WordInputs& words,
                    const DecoderState& state, const ForwardOptions& options, bool want_last) const;

  int64_t readout_size() const { return readout_; }
  int64_t cell_input_size() const {
    return cells_.front()->gates() * cells_.front()->hidden();
  }  // gates * H

 private:
  friend class DecoderPass;
  DecoderOutput run_whole(Tape& tape, const AttentionMemory& memory, const WordInputs& words,
                          const DecoderState& state, const ForwardOptions& options) const;

  bool luong_, feeding_;
  int64_t readout_;
  std::unique_ptr<Attention> attention_;  // null for none
  std::vector<std::unique_ptr<Cell>> cells_;
  struct Initial {
    const Parameter *weight, *bias;
  };
  std::vector<Initial> initial_;
  const Parameter* context_weight_ =
      nullptr;  // bahdanau: context into the first cell, [D, gates * Hd]
  const Parameter* feed_weight_ = nullptr;  // [R, gates * Hd]
  const Parameter *readout_state_, *readout_context_, *readout_bias_;
  const Parameter* readout_embedding_ = nullptr;  // bahdanau
};

}  // namespace heed
