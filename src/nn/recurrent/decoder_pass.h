// A pass of a recurrent decoder through T steps, for training and, with T = 1, for search: the same
// code for both. It orders three walks (cells, attention, readout) within each step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "nn/recurrent/decoder_weights.h"

namespace heed {

class DecoderPass {
 public:
  // `weights`, `tape` and `memory` must outlive the pass, which overwrites the inputs.
  DecoderPass(const DecoderWeights& weights, Tape& tape, const SourceMemory& memory,
              const RecurrentInputs& inputs, RecurrentState state, const ForwardOptions& options);
  // Steps go in order, from 0 to T - 1.
  void step(int64_t t);
  DecoderOutput finish();
  // After the steps so far.
  RecurrentState state() const;

 private:
  void add_layer(size_t l, Var inputs, const ForwardOptions& options);
  void step_cells(int64_t t);
  void step_readout(int64_t t);

  const DecoderWeights& weights_;
  Tape& tape_;
  RecurrentState state_;
  std::vector<Var> inputs_;                       // per layer: input products [T, rows, gates * H]
  std::vector<std::unique_ptr<CellWalk>> walks_;  // per layer
  std::vector<CollectedLinear> upward_;  // per layer but the first: the state below into it
  std::unique_ptr<AttentionWalk> attention_;
  std::optional<CollectedLinear> context_, feed_;                   // into the first layer
  std::optional<CollectedLinear> readout_state_, readout_context_;  // with feeding: step by step
  History feeds_;                                                   // readouts, with feeding
  Var readout_sum_;                                                 // [T, rows, R] before the tanh
};

}  // namespace heed
