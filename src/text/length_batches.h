// Batches of pairs that are alike in length, so that little is padding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/batch.h"

namespace heed {

struct PairLengths {
  int64_t pair;
  int32_t source, target;  // tokens without </s>
};

PairLengths lengths_of(const Corpus& corpus, int64_t pair);

// Sorts the pairs by length (those of the same lengths keep their order) and appends their batches,
// as large as the options allow.
void cut_by_length(std::span<PairLengths> pairs, const BatchOptions& options,
                   std::vector<std::vector<int64_t>>& batches);

}  // namespace heed
