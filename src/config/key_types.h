// The types a config key can have: each builder makes a Key whose check, message and printed rule
// come from the same value. Only the schema table includes this file.
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
#include "config/key.h"
#include "config/rules.h"

// A key's name and a function that gives its field, from one spelling: HEED_KEY(train.epochs).
#define HEED_KEY(path) \
#path, [](auto& config) -> auto& { return config.path; }

namespace heed::schema {

template <typename Field>
Key integer(const std::string& name, Field field, const Range& range, const std::string& help) {
  using Value = std::remove_reference_t<decltype(field(std::declval<Config&>()))>;
  constexpr auto kMost = std::min<uint64_t>(std::numeric_limits<Value>::max(), INT64_MAX);
  Range fitting = range;
  fitting.high = std::min(range.high, static_cast<double>(kMost));
  auto get = [field](const Config& c) { return std::to_string(field(c)); };
  auto assign = [field, fitting](Config& c, const std::string& text, const std::string& called) {
    field(c) = static_cast<Value>(read_integer(called, text, fitting));
  };
  return {name, "integer", help, range.text(), {}, get, assign, range};
}

template <typename Field>
Key number(const std::string& name, Field field, const Range& range, const std::string& help) {
  auto get = [field](const Config& c) { return format_real(field(c)); };
  auto assign = [field, range](Config& c, const std::string& text, const std::string& called) {
    field(c) = read_number(called, text, range);
  };
  return {name, "number", help, range.text(), {}, get, assign, range};
}

template <typename Field>
Key boolean(const std::string& name, Field field, const std::string& help) {
  auto get = [field](const Config& c) { return std::string(field(c) ? "true" : "false"); };
  auto assign = [field](Config& c, const std::string& text, const std::string& called) {
    field(c) = read_boolean(called, text);
  };
  return {name, "boolean", help, "", {}, get, assign, {}};
}

template <typename Field>
Key path(const std::string& name, Field field, const std::string& help) {
  auto get = [field](const Config& c) { return field(c); };
  auto assign = [field](Config& c, const std::string& text, const std::string&) {
    field(c) = text;
  };
  return {name, "path", help, "", {}, get, assign, {}};
}

template <typename Field>
Key choice(const std::string& name, Field field, const std::vector<std::string>& allowed,
           const std::string& help) {
  auto get = [field](const Config& c) { return field(c); };
  auto assign = [field, allowed](Config& c, const std::string& text, const std::string& called) {
    check_choice(called, text, allowed);
    field(c) = text;
  };
  return {name,    "choice", help,   fmt::format("one of: {}", fmt::join(allowed, ", ")),
          allowed, get,      assign, {}};
}

}  // namespace heed::schema
