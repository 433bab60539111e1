// Checks of shapes that the kernels share. Nothing is built unless one fails: kernels
// are called often.
#pragma once

#include <cstdint>
#include <limits>

#include "base/error.h"
#include "tensor/tensor.h"

namespace heed::kernels {

template <typename T>
void check_size(const char* kernel, const char* name, const View<T>& x, int64_t size) {
  check(x.size() == size, "[{}] {} must have {} elements. Received {}", kernel, name, size,
        x.shape);
}

// x seen as a matrix of its last axis must be [rows, columns].
template <typename T>
void check_matrix(const char* kernel, const char* name, const View<T>& x, int64_t rows,
                  int64_t columns) {
  check(x.shape.last() == columns && x.size() == rows * columns,
        "[{}] {} must be [{}, {}]. Received {}", kernel, name, rows, columns, x.shape);
}

inline void check_shape(const char* kernel, const char* name, const Tensor& x, const Shape& shape) {
  check(x.shape == shape, "[{}] {} must be {}. Received {}", kernel, name, shape, x.shape);
}

// upload() has checked ids; a debug build looks again if the host can read them.
inline void check_ids([[maybe_unused]] const char* kernel, [[maybe_unused]] const Ids& ids,
                      [[maybe_unused]] int64_t least, [[maybe_unused]] int64_t below) {
#ifndef NDEBUG
  if (ids.device != Device::cpu) return;
  for (int64_t i = 0; i < ids.size(); ++i)
    check(ids.data[i] >= least && ids.data[i] < below,
          "[{}] ids lie in [{}, {}). Received {} at {}", kernel, least, below, ids.data[i], i);
#endif
}

// Ids of which negative ones mean "none".
inline void check_ids_or_none(const char* kernel, const Ids& ids, int64_t below) {
  check_ids(kernel, ids, std::numeric_limits<int32_t>::min(), below);
}

}  // namespace heed::kernels
