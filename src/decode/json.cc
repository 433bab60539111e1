#include "decode/json.h"

#include <cmath>

namespace heed {

double to_six_decimals(double value) {
  const double rounded = std::round(value * 1e6) / 1e6;
  return rounded == 0 ? 0.0 : rounded;
}

nlohmann::ordered_json attention_json(const std::vector<std::vector<float>>& attention) {
  auto matrix = nlohmann::ordered_json::array();
  for (const std::vector<float>& row : attention) {
    auto numbers = nlohmann::ordered_json::array();
    for (const float weight : row) numbers.push_back(to_six_decimals(static_cast<double>(weight)));
    matrix.push_back(std::move(numbers));
  }
  return matrix;
}

std::string json_line(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace heed
