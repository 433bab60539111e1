// How the CPU kernels cut their work into chunks for parallel_for(): by sizes only.
#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "tensor/tensor.h"

namespace heed::kernels::cpu {

// Elements that one chunk of an elementwise kernel covers: 64 KiB in f32.
constexpr int64_t kGrain = 16384;
// A result of at least this many elements has left the caches before it is read. It is written by
// streaming stores, which bypass them.
constexpr int64_t kStreamingElements = int64_t{1} << 21;

// Rows of x seen as a matrix; 0 if the last axis is empty.
inline int64_t rows_of(const Tensor& x) { return x.shape.last() == 0 ? 0 : x.shape.rows(); }

// Rows of a chunk that holds about `elements` of them.
inline int64_t row_grain(int64_t columns, int64_t elements = kGrain) {
  return columns >= elements || columns == 0 ? 1 : elements / columns;
}

}  // namespace heed::kernels::cpu
