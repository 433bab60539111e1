// What a search keeps of its hypotheses between two steps, whatever the decoder.
#pragma once

#include <cstdint>
#include <vector>

#include "tensor/arena.h"

namespace heed {

struct DecoderState {
  // [rows, n] each, in the decoder's own order: cell states, readouts that are fed back,
  // what attention remembers.
  std::vector<Tensor> parts;
  int64_t position = 0;  // steps taken, the same for all rows

  // Row i of each part becomes what row from[i] was, in memory of the arena.
  void reorder(Arena& arena, const Ids& from);
};

}  // namespace heed
