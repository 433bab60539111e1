// One pair of sentences as token ids.
#pragma once

#include <span>

#include "text/vocabulary.h"

namespace heed {

// Both sides without </s>. Views: the owner of the ids must outlive the pair.
struct SentencePair {
  std::span<const TokenId> source, target;
};

}  // namespace heed
