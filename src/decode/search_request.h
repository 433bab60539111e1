// What a search is asked of one sentence besides its translation.
#pragma once

#include <cstdint>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

struct Request {
  std::vector<TokenId> prefix;  // the translation begins with it
  uint64_t stream = 0;          // of its draws; equal ones draw the same for the same sentence
};

}  // namespace heed
