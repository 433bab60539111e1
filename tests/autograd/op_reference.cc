#include "op_reference.h"

#include <cmath>

namespace heed::test {
namespace {

using Values = std::vector<double>;

// Ids, rows and sizes as in gradient_cases.cc.
constexpr size_t T = 4, B = 3;
constexpr size_t kIds[] = {3, 0, 10, 3, 3, 7, 1, 2, 9, 3, 0, 4};
constexpr size_t kRows[] = {11, 0, 5, 5};

template <typename F>
Reference each(const F& f) {
  return [f](const Operands& x, const Operands&) {
    Values y;
    for (size_t i = 0; i < x[0].data.size(); ++i)
      y.push_back(f(x[0].data[i], x.size() > 1 ? x[1].data[i] : 0));
    return y;
  };
}

// x W (+ bias), W [K, C] or, transposed, [C, K].
Values product(const Operand& x, const Operand& w, bool transposed, const Operand* bias) {
  const size_t columns = transposed ? w.rows() : w.columns;
  Values y;
  for (size_t i = 0; i < x.rows(); ++i)
    for (size_t j = 0; j < columns; ++j) {
      double sum = bias != nullptr ? bias->data[j] : 0;
      for (size_t k = 0; k < x.columns; ++k)
        sum += x.at(i, k) * (transposed ? w.at(j, k) : w.at(k, j));
      y.push_back(sum);
    }
  return y;
}

template <typename RowOf>
Values rows_of(const Operand& x, size_t count, double factor, const RowOf& row_of) {
  Values y;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < x.columns; ++j) y.push_back(factor * x.at(row_of(i), j));
  return y;
}

Values added(Values a, const Values& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

Values side_by_side(const Operand& a, const Operand& b) {
  Values y;
  for (size_t i = 0; i < a.rows(); ++i) {
    for (size_t j = 0; j < a.columns; ++j) y.push_back(a.at(i, j));
    for (size_t j = 0; j < b.columns; ++j) y.push_back(b.at(i, j));
  }
  return y;
}

Values weighted(const Operand& x) {
  double sum = 0;
  for (size_t i = 0; i < x.data.size(); ++i) sum += x.data[i] * (static_cast<double>(i) / 4 - 1);
  return {sum};
}

std::map<std::string, Reference> references() {
  using O = const Operands&;
  const auto tanh_of = each([](double a, double) { return std::tanh(a); });
  return {
      {"linear", [](O x, O p) { return product(x[0], p[0], false, &p[1]); }},
      {"linear_transposed", [](O x, O p) { return product(x[0], p[0], true, &p[1]); }},
      {"add_linear",
       [](O x, O p) { return added(product(x[0], p[0], false, nullptr), x[1].data); }},
      {"broadcast", [](O, O p) { return rows_of(p[0], T * B, 1, [](size_t) { return 0; }); }},
      {"embedding",
       [](O, O p) { return rows_of(p[0], T * B, 3, [](size_t i) { return kIds[i]; }); }},
      // Two products are collected into the bias.
      {"collected_linear",
       [](O x, O p) {
         return added(product(x[0], p[0], false, nullptr), product(x[0], p[0], false, &p[1]));
       }},
      {"add", each([](double a, double b) { return a + b; })},
      {"multiply", each([](double a, double b) { return a * b; })},
      {"tanh", tanh_of},
      {"tanh_into", tanh_of},
      {"sigmoid", each([](double a, double) { return 1 / (1 + std::exp(-a)); })},
      {"concat", [](O x, O) { return side_by_side(x[0], x[1]); }},
      {"select_rows",
       [](O x, O) { return rows_of(x[0], 4, 1, [](size_t i) { return kRows[i]; }); }},
      {"repeat", [](O x, O) { return rows_of(x[0], T * B, 1, [](size_t i) { return i % B; }); }},
      {"copy_rows", [](O x, O) { return x[0].data; }},
      {"weighted_sum", [](O x, O) { return weighted(x[0]); }},
  };
}

}  // namespace

const std::map<std::string, Reference>& op_references() {
  static const std::map<std::string, Reference> all = references();
  return all;
}

}  // namespace heed::test
