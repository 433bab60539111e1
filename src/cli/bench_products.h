// The products of a model's weight matrices, timed by themselves: what a whole update could reach
// at most. The table of `heed bench --products`.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nn/model.h"
#include "tensor/kernels/kernels.h"

namespace heed::cli {

// A shape [K, N] of weight matrices, with the names of those that have it.
struct WeightShape {
  int64_t rows, columns;  // K, N
  std::vector<std::string> names;
};

// Of all matrices that are multiplied with, in the order of their declaration: not of embeddings
// that are only looked up.
std::vector<WeightShape> weight_shapes(Model& model);

// [{"weights": [names], "rows": K, "columns": N, "step", "sequence", "gradient"}...] in GFLOP/s:
//   step      [B, K] [K, N], B = `batch` sentences at one position, the weight packed
//   sequence  [M, K] [K, N], M = 512 rows: many positions at once, or a block of the output layer's
//   gradient  [M, K]^T [M, N], what is added to the weight's gradient
// `seconds`: of measuring, in all.
nlohmann::json measure_products(const std::vector<WeightShape>& shapes, int64_t batch,
                                kernels::Precision precision, double seconds);
// `peak`: GFLOP/s, what the shares are of.
void print_products(const nlohmann::json& products, double peak);

}  // namespace heed::cli
