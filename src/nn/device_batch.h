// A batch on the device of an arena: what a model computes with. Ids are checked while they are
// uploaded; all of it lives as long as the arena's memory, independent of the Batch.
#pragma once

#include <cstdint>

#include "tensor/arena.h"
#include "text/batch.h"

namespace heed {

struct SourceBatch {
  Ids ids;      // [S, B]
  Ids lengths;  // [B], counting </s>
  Flags valid;  // [S, B]: s < lengths[b]
};

// Rows t * B + b of a batch's target side, and the token to predict in each. Both [M].
struct TargetRows {
  Ids rows, targets;
};

// `vocabulary` is the number of ids: they lie below it, or InternalError is thrown.
SourceBatch upload_source(Arena& arena, const Batch& batch, int64_t vocabulary);
// What a decoder reads [T, B]: <s>, then tokens.
Ids upload_target_in(Arena& arena, const Batch& batch, int64_t vocabulary);
// What it has to give [T, B]: tokens, then </s>; -1 past the end.
Ids upload_target_out(Arena& arena, const Batch& batch, int64_t vocabulary);

// All rows but padding: past a sentence's end there is nothing to learn. M = target_tokens, in the
// order of rows.
TargetRows upload_real_rows(Arena& arena, const Batch& batch, int64_t vocabulary);
// The row of the last token of each sentence. M = B.
TargetRows upload_last_rows(Arena& arena, const Batch& batch, int64_t vocabulary);

}  // namespace heed
