#include "eval/agreement.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace heed {
namespace {

using Matrix = Agreement::Matrix;

std::vector<double> sizes(const std::vector<double>& row, size_t columns) {
  std::vector<double> values;
  for (size_t i = 0; i < columns; ++i) values.push_back(std::abs(row.at(i)));
  return values;
}

void add_correlations(const Matrix& x, const Matrix& y, size_t columns,
                      Agreement::Correlation& correlation) {
  double sum = 0;
  int64_t rows = 0;
  for (size_t t = 0; t < x.size(); ++t) {
    const auto tau = kendall_tau_b(sizes(x[t], columns), sizes(y.at(t), columns));
    if (!tau) continue;
    sum += *tau;
    ++rows;
  }
  if (rows == 0) return;
  correlation.sum += sum / static_cast<double>(rows);
  correlation.rows += rows;
  ++correlation.sentences;
}

int64_t top(const std::vector<double>& row, size_t columns) {
  const std::vector<double> values = sizes(row, columns);
  return std::max_element(values.begin(), values.end()) - values.begin();
}

}  // namespace

std::optional<double> kendall_tau_b(std::span<const double> x, std::span<const double> y) {
  check(x.size() == y.size(), "[kendall_tau_b] as many x as y. Received {} and {}", x.size(),
        y.size());
  int64_t same = 0, opposite = 0, tied_x = 0, tied_y = 0;
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (x[i] == x[j] && y[i] == y[j]) continue;
      tied_x += x[i] == x[j];
      tied_y += y[i] == y[j];
      if (x[i] == x[j] || y[i] == y[j]) continue;
      ++((x[i] < x[j]) == (y[i] < y[j]) ? same : opposite);
    }
  const auto untied_x = static_cast<double>(same + opposite + tied_y),
             untied_y = static_cast<double>(same + opposite + tied_x);
  if (untied_x == 0 || untied_y == 0) return std::nullopt;
  return static_cast<double>(same - opposite) / std::sqrt(untied_x * untied_y);
}

Agreement::Agreement(size_t methods, std::optional<size_t> reference) : reference_(reference) {
  for (size_t i = 0; i < methods; ++i) {
    for (size_t j = i + 1; j < methods; ++j) correlations_.push_back({i, j});
    if (reference && i != *reference) same_tops_.push_back({i});
  }
}

void Agreement::add(std::span<const Matrix> matrices, size_t columns) {
  for (Correlation& c : correlations_)
    add_correlations(matrices[c.first], matrices[c.second], columns, c);
  if (columns < 2) return;
  for (SameTop& s : same_tops_)
    for (size_t t = 0; t < matrices[s.method].size(); ++t) {
      ++s.rows;
      s.same += top(matrices[s.method][t], columns) == top(matrices[*reference_][t], columns);
    }
}

std::optional<double> Agreement::Correlation::mean() const {
  if (sentences == 0) return std::nullopt;
  return sum / static_cast<double>(sentences);
}

std::optional<double> Agreement::SameTop::share() const {
  if (rows == 0) return std::nullopt;
  return static_cast<double>(same) / static_cast<double>(rows);
}

}  // namespace heed
