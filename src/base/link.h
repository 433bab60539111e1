// Word alignment: a link joins a word of a sentence to a word of its translation.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

namespace heed {

using Link = std::pair<int64_t, int64_t>;  // source position, target position, counted from 0
using Links = std::set<Link>;              // of one sentence pair

}  // namespace heed
