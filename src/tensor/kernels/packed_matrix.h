// What PackedMatrix keeps, for those who implement it: the front and the backends.
#pragma once

#include <cstdint>

#include "tensor/kernels/products.h"

namespace heed::kernels {

// Each backend derives its own form of a packed matrix [K, C].
struct PackedMatrix::State {
  virtual ~State() = default;
  virtual Device device() const = 0;

  int64_t rows = 0, columns = 0;  // K, C
  Precision precision = Precision::f32;
};

}  // namespace heed::kernels
