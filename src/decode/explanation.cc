#include "decode/explanation.h"

#include "decode/json.h"

namespace heed {
namespace {

constexpr std::array<const char*, kMethods> kNames = {"attention", "gradient", "integrated",
                                                      "erasure"};

nlohmann::ordered_json matrix_json(const Matrix& matrix) {
  auto rows = nlohmann::ordered_json::array();
  for (const std::vector<double>& row : matrix) {
    auto numbers = nlohmann::ordered_json::array();
    for (const double value : row) numbers.push_back(to_six_decimals(value));
    rows.push_back(std::move(numbers));
  }
  return rows;
}

}  // namespace

const char* method_name(Method method) { return kNames[static_cast<size_t>(method)]; }

Matrix sum_blocks(const Matrix& matrix, const std::vector<size_t>& rows,
                  const std::vector<size_t>& columns) {
  Matrix sums(rows.size(), std::vector<double>(columns.size(), 0.0));
  size_t i = 0;
  for (size_t r = 0; r < matrix.size(); ++r) {
    while (i + 1 < rows.size() && rows[i + 1] <= r) ++i;
    size_t j = 0;
    for (size_t c = 0; c < matrix[r].size(); ++c) {
      while (j + 1 < columns.size() && columns[j + 1] <= c) ++j;
      sums[i][j] += matrix[r][c];
    }
  }
  return sums;
}

std::string explanation_line(const Explanation& explanation) {
  using Json = nlohmann::ordered_json;
  Json object = {{"id", explanation.id},
                 {"source", Json(explanation.source)},
                 {"target", Json(explanation.target)}};
  for (size_t i = 0; i < kMethods; ++i) {
    const auto method = static_cast<Method>(i);
    if (explanation.has[method]) object[kNames[i]] = matrix_json(explanation.matrix[method]);
  }
  object["score"] = to_six_decimals(explanation.score);
  return json_line(object);
}

}  // namespace heed
