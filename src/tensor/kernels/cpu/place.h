// What becomes of a product where it goes.
#pragma once

#include <cstdint>

#include "base/real.h"

namespace heed::kernels {

// c = x, c += x, or c = x + bias with a number for each column. `far`: c is so large that it goes
// past the caches, which saves reading what is overwritten; `accumulate` ignores
// it.
struct Place {
  bool accumulate = false;
  const Real* bias = nullptr;
  bool far = false;
};

// Puts a tile x [m, n], contiguous, to its place in c, whose rows lie `stride` apart.
void place_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride, const Place& place);

}  // namespace heed::kernels
