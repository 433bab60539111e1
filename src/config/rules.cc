#include "config/rules.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/nearest.h"
#include "base/numbers.h"

namespace heed::schema {

bool Range::holds(double value) const {
  const double rounded = static_cast<float>(value);  // what the kernels will see
  const bool above_low = low_open ? rounded > low : value >= low;
  const bool below_high = high_open ? rounded < high : value <= high;
  return above_low && below_high;
}

std::string Range::text() const {
  std::vector<std::string> bounds;
  if (std::isfinite(low)) bounds.push_back((low_open ? "> " : ">= ") + format_real(low));
  if (std::isfinite(high)) bounds.push_back((high_open ? "< " : "<= ") + format_real(high));
  return fmt::format("{}", fmt::join(bounds, " and "));
}

Range at_least(double low) {
  Range range;
  range.low = low;
  return range;
}

Range above(double low) {
  Range range = at_least(low);
  range.low_open = true;
  return range;
}

Range between(double low, double high) { return {low, high, false, false}; }
Range from_below(double low, double high) { return {low, high, false, true}; }
Range above_to(double low, double high) { return {low, high, true, false}; }
Range inside(double low, double high) { return {low, high, true, true}; }

namespace {

void check_range(const std::string& name, const std::string& text, double value,
                 const Range& range) {
  if (!range.holds(value)) fail("{}: {} is not allowed: it must be {}", name, text, range.text());
}

// An integer of any length: "too large" and "not a number" are different errors.
bool only_digits(const std::string& text) {
  const size_t start = !text.empty() && text[0] == '-' ? 1 : 0;
  return text.size() > start && text.find_first_not_of("0123456789", start) == std::string::npos;
}

}  // namespace

int64_t read_integer(const std::string& name, const std::string& text, const Range& range) {
  const auto value = parse_int(text);
  if (!value && only_digits(text)) {
    Range stored = range;
    stored.high = std::min(range.high, static_cast<double>(INT64_MAX));
    fail("{}: {} is not allowed: it must be {}", name, text, stored.text());
  }
  if (!value) fail("{}: '{}' is not an integer", name, text);
  check_range(name, text, static_cast<double>(*value), range);
  return *value;
}

double read_number(const std::string& name, const std::string& text, const Range& range) {
  const auto value = parse_real(text);
  if (!value || !std::isfinite(*value)) fail("{}: '{}' is not a number", name, text);
  check_range(name, text, *value, range);
  return *value;
}

bool read_boolean(const std::string& name, const std::string& text) {
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  fail("{}: '{}' is not a boolean: write true or false", name, text);
}

void check_choice(const std::string& name, const std::string& text,
                  const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return;
  const std::string near = nearest_name(text, allowed);
  const std::string hint = near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
  fail("{}: '{}' is not one of: {}{}", name, text, fmt::join(allowed, ", "), hint);
}

}  // namespace heed::schema
