// Numbers from and to text without the locale: "1.5" is the same everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

// The whole text as a number, or nothing (also for "", " 1", "+1", "1x", "nan", "inf" and numbers
// out of range).
std::optional<int64_t> parse_int(std::string_view text);
std::optional<double> parse_real(std::string_view text);

// Shortest text that reads back as the same number; fixed: with that many decimals.
std::string format_real(double value);
std::string format_fixed(double value, int decimals);

// "1,234,567".
std::string format_thousands(int64_t value);

}  // namespace heed
