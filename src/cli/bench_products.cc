#include "cli/bench_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tensor/kernels/machine_peaks.h"

namespace heed::cli {
namespace {

constexpr int64_t kSequenceRows = 512;
constexpr const char* kKinds[] = {"step", "sequence", "gradient"};

void add_name(std::vector<WeightShape>& shapes, int64_t rows, int64_t columns,
              const std::string& name) {
  const auto same = std::find_if(shapes.begin(), shapes.end(), [&](const WeightShape& other) {
    return other.rows == rows && other.columns == columns;
  });
  if (same == shapes.end()) {
    shapes.push_back({rows, columns, {name}});
  } else {
    same->names.push_back(name);
  }
}

}  // namespace

std::vector<WeightShape> weight_shapes(Model& model) {
  std::vector<WeightShape> shapes;
  for (const Parameter& parameter : model.parameters().parameters()) {
    const Shape& shape = parameter.value.shape;
    if (shape.rank() != 2) continue;
    if (&parameter == &model.output_weight()) {  // [V, R], multiplied as its transpose
      add_name(shapes, shape[1], shape[0], parameter.name);
    } else if (!model.is_table(parameter)) {
      add_name(shapes, shape[0], shape[1], parameter.name);
    }
  }
  return shapes;
}

nlohmann::json measure_products(const std::vector<WeightShape>& shapes, int64_t batch,
                                kernels::Precision precision, double seconds) {
  const double each = seconds / static_cast<double>(std::size(kKinds) * shapes.size());
  auto all = nlohmann::json::array();
  for (const auto& [rows, columns, names] : shapes) {
    all.push_back(
        {{"weights", names},
         {"rows", rows},
         {"columns", columns},
         {"step", kernels::measure_product(batch, rows, columns, each, precision)},
         {"sequence", kernels::measure_product(kSequenceRows, rows, columns, each, precision)},
         {"gradient",
          kernels::measure_weight_gradient(kSequenceRows, rows, columns, each, precision)}});
  }
  return all;
}

void print_products(const nlohmann::json& products, double peak) {
  fmt::print("\nthe products of each weight by themselves, GFLOP/s and share of the peak\n\n");
  fmt::print("{:>6} x {:<7}{:>14}{:>16}{:>16}  weights\n", "K", "N", kKinds[0], kKinds[1],
             kKinds[2]);
  for (const auto& product : products) {
    fmt::print("{:>6} x {:<7}", product.at("rows").get<int64_t>(),
               product.at("columns").get<int64_t>());
    for (const char* kind : kKinds) {
      const double speed = product.at(kind).get<double>();
      fmt::print("{:>{}.0f}{:>4.0f} %", speed, kind == kKinds[0] ? 8 : 10, 100 * speed / peak);
    }
    const auto& names = product.at("weights");
    fmt::print("  {}{}\n", names[0].get<std::string>(),
               names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "");
  }
}

}  // namespace heed::cli
