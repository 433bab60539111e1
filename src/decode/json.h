// JSON as attention dumps and translations have it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heed {

double to_six_decimals(double value);  // never -0
// Rows of numbers with six decimals.
nlohmann::ordered_json attention_json(const std::vector<std::vector<float>>& attention);
// On one line; invalid UTF-8 is replaced.
std::string json_line(const nlohmann::ordered_json& object);

}  // namespace heed
