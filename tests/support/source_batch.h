// Source batches of sentences that a test owns.
#pragma once

#include <span>
#include <vector>

#include "text/batch.h"

namespace heed {

inline Batch make_source_batch(const std::vector<std::vector<TokenId>>& sentences) {
  const std::vector<std::span<const TokenId>> sources(sentences.begin(), sentences.end());
  return make_source_batch(std::span(sources));
}

}  // namespace heed
