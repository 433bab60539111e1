// Nodes and weights for integrals over [0, 1].
#pragma once

#include <cstdint>
#include <vector>

namespace heed {

struct QuadratureNode {
  double x, weight;
};

// The rule of Gauss and Legendre: exact for polynomials up to degree 2 * count - 1, and for smooth
// functions far better than equal steps. Nodes in (0, 1) from left to right; weights add up to 1.
// 1 <= count.
std::vector<QuadratureNode> gauss_legendre(int64_t count);

}  // namespace heed
