// Helpers of the tables that report figures by ranges of a number.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

namespace heed {

// "2-5"; "0" for a range of one number; "61+" if `most` is negative.
inline std::string band_name(int64_t least, int64_t most) {
  if (most < 0) return fmt::format("{}+", least);
  return least == most ? fmt::format("{}", least) : fmt::format("{}-{}", least, most);
}

// 100 * part / whole; nullopt if whole is 0.
inline std::optional<double> percentage(double part, int64_t whole) {
  if (whole == 0) return std::nullopt;
  return 100 * part / static_cast<double>(whole);
}

}  // namespace heed
