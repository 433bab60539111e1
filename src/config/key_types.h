// The types a config key can have: each builder makes a Key whose check, message and printed rule
// come from the same value. Only the schema table includes this.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
#include "config/schema.h"

// A key's name and the way to its field, from one spelling: HEED_KEY(train.epochs).
#define HEED_KEY(path) \
#path, [](auto& config) -> auto& { return config.path; }

namespace heed::schema {

// Numbers a key may hold. "Open" ends are left out.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  bool holds(double value) const;
  std::string text() const;  // ">= 0 and < 1"
};

Range at_least(double low);
Range above(double low);
Range between(double low, double high);     // both included
Range from_below(double low, double high);  // low included, high not
Range inside(double low, double high);      // neither included

// The parsed value, or UserError "KEY: 'abc' is not an integer", "KEY: -1 is not allowed: it must
// be >= 0".
int64_t read_integer(const std::string& key, const std::string& text, const Range& range);
double read_number(const std::string& key, const std::string& text, const Range& range);
bool read_boolean(const std::string& key, const std::string& text);
void check_choice(const std::string& key, const std::string& text,
                  const std::vector<std::string>& allowed);

template <typename Field>
Key integer(const std::string& name, Field field, const Range& range, const std::string& help) {
  using Value = std::remove_reference_t<decltype(field(std::declval<Config&>()))>;
  constexpr auto kMost = std::min<uint64_t>(std::numeric_limits<Value>::max(), INT64_MAX);
  Range fitting = range;
  fitting.high = std::min(range.high, static_cast<double>(kMost));
  auto get = [field](const Config& c) { return std::to_string(field(c)); };
  auto set = [field, name, fitting](Config& c, const std::string& text) {
    field(c) = static_cast<Value>(read_integer(name, text, fitting));
  };
  return {name, "integer", help, range.text(), {}, get, set};
}

template <typename Field>
Key number(const std::string& name, Field field, const Range& range, const std::string& help) {
  auto get = [field](const Config& c) { return format_real(field(c)); };
  auto set = [field, name, range](Config& c, const std::string& text) {
    field(c) = read_number(name, text, range);
  };
  return {name, "number", help, range.text(), {}, get, set};
}

template <typename Field>
Key boolean(const std::string& name, Field field, const std::string& help) {
  auto get = [field](const Config& c) { return std::string(field(c) ? "true" : "false"); };
  auto set = [field, name](Config& c, const std::string& text) {
    field(c) = read_boolean(name, text);
  };
  return {name, "boolean", help, "", {}, get, set};
}

template <typename Field>
Key path(const std::string& name, Field field, const std::string& help) {
  auto get = [field](const Config& c) { return field(c); };
  auto set = [field](Config& c, const std::string& text) { field(c) = text; };
  return {name, "path", help, "", {}, get, set};
}

template <typename Field>
Key choice(const std::string& name, Field field, const std::vector<std::string>& allowed,
           const std::string& help) {
  auto get = [field](const Config& c) { return field(c); };
  auto set = [field, name, allowed](Config& c, const std::string& text) {
    check_choice(name, text, allowed);
    field(c) = text;
  };
  return {name,    "choice", help, fmt::format("one of: {}", fmt::join(allowed, ", ")),
          allowed, get,      set};
}

}  // namespace heed::schema
