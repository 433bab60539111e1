// A link between two words of a sentence and its translation, as alignments and their scores have
// it.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

namespace heed {

using Link = std::pair<int64_t, int64_t>;  // source position, target position, counted from 0
using Links = std::set<Link>;              // of one sentence

}  // namespace heed
