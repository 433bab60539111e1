// The few Unicode facts that the metrics need, with ICU's tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// UTF-8 to code points and back. Invalid bytes become U+FFFD.
std::u32string to_code_points(std::string_view text);
std::string to_utf8(std::u32string_view code_points);

// What Python's str.split() and str.rstrip() take as white space, since the reference scorer is
// written with them.
bool is_space(char32_t c);
// What stands between white space, without empty words: Python's str.split().
std::vector<std::u32string> split_at_spaces(std::u32string_view text);

bool is_number(char32_t c);       // category N
bool is_punctuation(char32_t c);  // category P
bool is_symbol(char32_t c);       // category S

// Lower case by the full Unicode mapping of no particular language (final sigma included).
std::string lowercase(std::string_view text);

}  // namespace heed
