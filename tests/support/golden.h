// Goldens: inputs and expected values that an independent program (scripts/goldens)
// computed in float64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace heed::test {

using Golden = nlohmann::json;

// A tensor of a golden file, row-major.
struct GoldenTensor {
  std::vector<int64_t> shape;
  std::vector<double> data;
};

// Reads tests/golden/NAME.json. Throws std::runtime_error if it cannot be read.
inline Golden load_golden(const std::string& name) {
  const std::string path = std::string(HEED_SOURCE_DIR) + "/tests/golden/" + name + ".json";
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot open");
  return Golden::parse(in);
}

// Parses {"shape": [...], "data": [...]}; throws std::runtime_error if shape and data do not match.
inline GoldenTensor golden_tensor(const Golden& json) {
  GoldenTensor tensor{json.at("shape").get<std::vector<int64_t>>(),
                      json.at("data").get<std::vector<double>>()};
  int64_t count = 1;
  for (const int64_t n : tensor.shape) count *= n;
  if (static_cast<size_t>(count) != tensor.data.size())
    throw std::runtime_error("golden: shape does not fit data");
  return tensor;
}

}  // namespace heed::test
