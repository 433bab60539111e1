// "Did you mean ...?" for a mistyped name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// The known name with the smallest edit distance to `name` (the first of several), or "" if that
// distance is above max(2, a third of the length of `name`).
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace heed
