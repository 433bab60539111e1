// Numbers from and to text, independent of the locale: "1.5" is the same everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

// Parses the whole text as a number. Returns nullopt for anything else, also for "", " 1", "+1",
// "1x", "nan", "inf" and numbers out of range.
std::optional<int64_t> parse_int(std::string_view text);
std::optional<double> parse_real(std::string_view text);

// format_real: the shortest text that reads back as the same number. format_fixed: the given
// number of decimals.
std::string format_real(double value);
std::string format_fixed(double value, int decimals);

// With a comma between groups of three digits: "1,234,567".
std::string format_thousands(int64_t value);

}  // namespace heed
