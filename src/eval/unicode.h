// The Unicode properties that the metrics need, from ICU's tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Convert between UTF-8 and code points. Invalid bytes become U+FFFD.
std::u32string to_code_points(std::string_view text);
std::string to_utf8(std::u32string_view code_points);

// What Python's str.split() and str.rstrip() treat as white space: the reference implementation of
// the scores is written in Python.
bool is_space(char32_t c);
// The non-empty words between white space, as Python's str.split() returns them.
std::vector<std::u32string> split_at_spaces(std::u32string_view text);

bool is_number(char32_t c);       // category N
bool is_punctuation(char32_t c);  // category P
bool is_symbol(char32_t c);       // category S

// Lower case by the full Unicode mapping, independent of the language (final sigma included).
std::string lowercase(std::string_view text);

}  // namespace heed
