// What tables of figures by ranges share.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

namespace heed {

// "2-5", "0" for a range of one number, "61+" where `most` is below 0.
inline std::string band_name(int64_t least, int64_t most) {
  if (most < 0) return fmt::format("{}+", least);
  return least == most ? fmt::format("{}", least) : fmt::format("{}-{}", least, most);
}

// 100 part / whole; nothing of nothing.
inline std::optional<double> percentage(double part, int64_t whole) {
  if (whole == 0) return std::nullopt;
  return 100 * part / static_cast<double>(whole);
}

}  // namespace heed
