// How a tile of a product is stored in the result.
#pragma once

#include <cstdint>

#include "base/real.h"

namespace heed::kernels::cpu {

// c = x, c += x if `accumulate`, or c = x + bias with an element per column. `streaming`: by stores
// that bypass the caches, which saves reading what is overwritten, for results too large to be read
// back soon; `accumulate` ignores it.
struct Epilogue {
  bool accumulate = false;
  const Real* bias = nullptr;
  bool streaming = false;
};

// Stores a tile x [m, n], contiguous, in c, whose rows are `stride` apart.
void store_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride,
                const Epilogue& epilogue);

// The same for a tile of int8 products, each multiplied by the scales of its row and its
// column; never streaming.
struct Scales {
  const Real *rows, *columns;
};
void store_tile(const int32_t* x, const Scales& scales, int64_t m, int64_t n, Real* c,
                int64_t stride, const Epilogue& epilogue);

}  // namespace heed::kernels::cpu
