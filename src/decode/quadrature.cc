// The nodes are the roots of the Legendre polynomial P_n. With P_0 = 1, P_1 = x:
//   j P_j(x) = (2 j - 1) x P_{j-1}(x) - (j - 1) P_{j-2}(x)
//   (x^2 - 1) P_n'(x) = n (x P_n(x) - P_{n-1}(x))
//   weight of the root x = 2 / ((1 - x^2) P_n'(x)^2), on [-1, 1]
// (Abramowitz and Stegun, 22.7.10, 22.8.5, 25.4.29).
#include "decode/quadrature.h"

#include <cmath>
#include <numbers>

namespace heed {
namespace {

struct Legendre {
  double value, slope;
};

Legendre legendre(int64_t degree, double x) {
  double before = 1, value = x;
  for (int64_t j = 2; j <= degree; ++j) {
    const auto n = static_cast<double>(j);
    const double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
    before = value;
    value = next;
  }
  return {value, static_cast<double>(degree) * (x * value - before) / (x * x - 1)};
}

}  // namespace

std::vector<QuadratureNode> gauss_legendre(int64_t count) {
  std::vector<QuadratureNode> nodes;
  for (int64_t k = count; k >= 1; --k) {
    // Close enough to the k-th root from the right for Newton's method to find that one.
    double x = std::cos(std::numbers::pi * (static_cast<double>(k) - 0.25) /
                        (static_cast<double>(count) + 0.5));
    for (int step = 0; step < 5; ++step) {
      const Legendre p = legendre(count, x);
      x -= p.value / p.slope;
    }
    const double slope = legendre(count, x).slope;
    nodes.push_back({(1 + x) / 2, 1 / ((1 - x * x) * slope * slope)});
  }
  return nodes;
}

}  // namespace heed
