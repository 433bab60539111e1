// What values a config key or an option may have: ranges, and readers whose messages name the key
// or option and its rule.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace heed::schema {

// Allowed numbers. An open end is itself not allowed.
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
Range above_to(double low, double high);    // high included, low not
Range inside(double low, double high);      // neither included

// The parsed value. `name` is what messages call it: "train.epochs" or "--beam". Throw UserError
// "NAME: 'abc' is not an integer", "NAME: -1 is not allowed: it must be >= 0".
int64_t read_integer(const std::string& name, const std::string& text, const Range& range);
double read_number(const std::string& name, const std::string& text, const Range& range);
bool read_boolean(const std::string& name, const std::string& text);
void check_choice(const std::string& name, const std::string& text,
                  const std::vector<std::string>& allowed);

}  // namespace heed::schema
