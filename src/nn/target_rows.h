// Rows of a batch's target side, t * B + b, and the tokens that are to be predicted there. What is
// returned lies in the arena.
#pragma once

#include <cstdint>
#include <span>

#include "tensor/arena.h"
#include "text/batch.h"

namespace heed {

struct TargetRows {
  std::span<const int32_t> rows;
  const int32_t* targets;  // of each row
};

// All but the padding: past a sentence's end there is nothing to learn. [target_tokens], in the
// order of rows.
TargetRows real_rows(Arena& arena, const Batch& batch);

// The last token of each sentence. [B]
TargetRows last_rows(Arena& arena, const Batch& batch);

}  // namespace heed
