// Text as valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace heed {

bool is_valid_utf8(std::string_view text);

// The text with U+FFFD for each invalid sequence of bytes.
std::string mend_utf8(std::string_view text);

// Mends the line in place; true if it had to.
bool mend_line(std::string& line);

}  // namespace heed
