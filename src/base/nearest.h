// "Did you mean ...?" for a mistyped name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// The known name with the smallest edit distance to `name` (first one at a tie), or "" where none
// is near (more than max(2, a third of its length) edits away).
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace heed
