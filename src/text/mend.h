// Makes text valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace heed {

bool is_valid_utf8(std::string_view text);

// The text with each invalid sequence of bytes replaced by U+FFFD.
std::string mend_utf8(std::string_view text);

// The same in place; true if anything was replaced.
bool mend_line(std::string& line);

}  // namespace heed
