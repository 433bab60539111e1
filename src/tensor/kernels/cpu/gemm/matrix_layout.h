// Where the elements of a matrix are in memory.
#pragma once

#include <cstdint>

namespace heed::kernels::cpu {

// Element (i, j) of a plain matrix is at [i * stride + j], of a transposed one at [i + j * stride].
struct MatrixLayout {
  int64_t stride = 0;
  bool transposed = false;
  bool operator==(const MatrixLayout&) const = default;
};

}  // namespace heed::kernels::cpu
