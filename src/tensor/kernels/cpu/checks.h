// Checks of shapes and the sizes of chunks that the CPU kernels share.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "base/parallel.h"
#include "tensor/tensor.h"

namespace heed::kernels {

// Numbers that one chunk of a plain elementwise kernel covers: 64 KiB in f32.
constexpr int64_t kGrain = 16384;
// What has so many numbers is gone from the caches before it is read, and so is written past them.
constexpr int64_t kFarNumbers = int64_t{1} << 21;

// Throws InternalError unless the condition holds. The text is only built on failure: kernels are
// called often.
inline void require(bool condition, const char* kernel, const char* rule, const Tensor& received) {
  if (condition) return;
  throw InternalError(fmt::format("[{}] {}. Received {}", kernel, rule, received.shape.text()));
}

template <typename T>
void require_size(const char* kernel, const char* name, const View<T>& tensor, int64_t size) {
  if (tensor.size() == size) return;
  throw InternalError(fmt::format("[{}] {} must have {} elements. Received {}", kernel, name, size,
                                  tensor.shape.text()));
}

// The tensor seen as a matrix of its last axis must be [rows, columns].
template <typename T>
void require_matrix(const char* kernel, const char* name, const View<T>& tensor, int64_t rows,
                    int64_t columns) {
  if (tensor.shape.last() == columns && tensor.size() == rows * columns) return;
  throw InternalError(fmt::format("[{}] {} must be [{}, {}]. Received {}", kernel, name, rows,
                                  columns, tensor.shape.text()));
}

inline void require_shape(const char* kernel, const char* name, const Tensor& tensor,
                          const Shape& shape) {
  if (tensor.shape == shape) return;
  throw InternalError(fmt::format("[{}] {} must be {}. Received {}", kernel, name, shape.text(),
                                  tensor.shape.text()));
}

// A debug build looks at ids again, which were checked when they were uploaded.
inline void require_ids(const char* kernel, const Ids& ids, int64_t least, int64_t below) {
#ifndef NDEBUG
  for (int64_t i = 0; i < ids.size(); ++i)
    check(ids.data[i] >= least && ids.data[i] < below,
          "[{}] ids lie in [{}, {}). Received {} at {}", kernel, least, below, ids.data[i], i);
#else
  static_cast<void>(kernel), static_cast<void>(ids);
  static_cast<void>(least), static_cast<void>(below);
#endif
}

// Rows of the tensor seen as a matrix; 0 where the last axis is empty.
inline int64_t rows_of(const Tensor& tensor) {
  return tensor.shape.last() == 0 ? 0 : tensor.shape.rows();
}

// Rows that one chunk takes so that it holds about `numbers` of them. Depends on sizes only.
inline int64_t row_grain(int64_t columns, int64_t numbers = kGrain) {
  return columns >= numbers || columns == 0 ? 1 : numbers / columns;
}

}  // namespace heed::kernels
