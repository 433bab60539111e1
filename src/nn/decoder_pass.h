// One walk of the decoder through T steps, for training and, with T = 1, for search: the same code
// for both.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "nn/decoder.h"

namespace heed {

// into [T, B, N] += x [T, B, K] W, all steps at once.
void add_product(Tape& tape, Var x, const Parameter& weight, Var into);

class DecoderPass {
 public:
  DecoderPass(const Decoder& decoder, Tape& tape, const AttentionMemory& memory,
              const WordInputs& words, const DecoderState& state, const ForwardOptions& options);
  void step(int64_t t);
  DecoderOutput finish();

 private:
  Tensor attend_one_step(Var query, Var context);
  void attend_from(int64_t t, Var query_state);  // fills contexts_[t]
  void step_cells(int64_t t);
  void step_readout(int64_t t);
  bool bahdanau() const { return !decoder_.luong_; }

  const Decoder& decoder_;
  Tape& tape_;
  const AttentionMemory& memory_;
  int64_t T_, rows_;
  DecoderState state_;
  std::vector<Var> inputs_;                       // a layer: input products [T, rows, gates * H]
  std::vector<std::unique_ptr<CellWalk>> walks_;  // a layer
  std::vector<std::optional<CollectedLinear>>
      upward_;  // a layer above the first: the state below into it
  std::optional<CollectedLinear> context_, feed_, query_;  // into the first layer; into queries_
  std::optional<CollectedLinear> readout_state_, readout_context_;  // with feeding: step by step
  Var contexts_;                                                    // [T, rows, D]
  History feeds_;                                                   // readouts, with feeding
  Var queries_;      // [T, rows, A] where the score has a query weight
  Var readout_sum_;  // [T, rows, R] before the tanh
  Tensor attention_;
};

}  // namespace heed
