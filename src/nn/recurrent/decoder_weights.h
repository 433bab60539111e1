// The layers and weights of a recurrent decoder, and its state on a tape.
#pragma once

#include <memory>
#include <vector>

#include "config/config.h"
#include "nn/attention/attention.h"
#include "nn/cells/cell.h"

namespace heed {

struct DecoderWeights {
  DecoderWeights(const ModelConfig& config, ParameterStore& store, int64_t state_size,
                 int64_t readout);

  bool luong, feeding;
  int64_t readout_size;  // R
  std::unique_ptr<Attention> attention;
  // Of each layer.
  struct Initial {
    const Parameter *weight, *bias;  // [D, H], [H]
  };
  std::vector<Initial> initial;
  std::vector<std::unique_ptr<Cell>> cells;
  // Into the first cell: bahdanau's context [D, gates * H], and the previous readout [R,
  // gates * H].
  const Parameter *context = nullptr, *feed = nullptr;
  // Into the readout: [H, R], [D, R], bias [R], and bahdanau's embedding [E, R].
  const Parameter *readout_state, *readout_context, *readout_bias, *readout_embedding = nullptr;
};

// Between two steps.
struct RecurrentState {
  std::vector<CellState> layers;
  Var feed;  // [rows, R], with input feeding
  AttentionState attention;
};

// What WordInputs holds: the products of the words' embeddings, with the bias that goes with them.
struct RecurrentInputs {
  Var cell;     // [T, rows, gates * H], into the first cell
  Var readout;  // [T, rows, R]; luong: the bias alone
};

}  // namespace heed
