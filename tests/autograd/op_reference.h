// The values of ops by plain loops in double, for the shapes of gradient_cases(): a derivative that
// fits a wrong value must not pass.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heed::test {

// An input or a parameter: its last axis, and its elements row by row.
struct Operand {
  size_t columns;
  std::vector<double> data;
  size_t rows() const { return data.size() / columns; }
  double at(size_t row, size_t column) const { return data[row * columns + column]; }
};
using Operands = std::vector<Operand>;

using Reference =
    std::function<std::vector<double>(const Operands& inputs, const Operands& parameters)>;

// By the op's name in gradient_cases(). Recurrent cells, attention
// and the loss are not here: outside programs give their values
// (cells_golden_test.cc, nn/attention_golden_test.cc,
// nn/model_golden_test.cc).
const std::map<std::string, Reference>& op_references();

}  // namespace heed::test
