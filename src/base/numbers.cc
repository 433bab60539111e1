#include "base/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace heed {
namespace {

template <typename T>
std::optional<T> parse(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<int64_t> parse_int(std::string_view text) { return parse<int64_t>(text); }

std::optional<double> parse_real(std::string_view text) {
  const auto value = parse<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string format_real(double value) { return fmt::format("{}", value); }

std::string format_fixed(double value, int decimals) {
  return fmt::format("{:.{}f}", value, decimals);
}

std::string format_thousands(int64_t value) {
  std::string text = std::to_string(value);
  const size_t first_digit = value < 0 ? 1 : 0;
  for (size_t at = text.size(); at > first_digit + 3;) text.insert(at -= 3, 1, ',');
  return text;
}

}  // namespace heed
