// The left operand of a packed product in the type of its precision.
#pragma once

#include <cstdint>

#include "tensor/kernels/cpu/scratch.h"
#include "tensor/kernels/products.h"

namespace heed::kernels::cpu {

// Rows [M, K], contiguous. In f32 they are those of a, which must outlive this; else they are in
// scratch memory of the calling thread.
class LeftOperand {
 public:
  LeftOperand(const Real* a, int64_t m, int64_t k, Precision precision);
  // The transpose of a [R, M], whose rows are M apart, in bf16: rows [M, depth], zeros from R on.
  static LeftOperand transposed(const Real* a, int64_t R, int64_t M, int64_t depth);

  const void* row(int64_t i) const {
    return static_cast<const char*>(rows_) + static_cast<size_t>(i) * row_bytes_;
  }
  // int8: the scale of each row; else null.
  const Real* scales_or_null() const { return scales_; }

 private:
  LeftOperand() = default;
  template <typename T>
  T* take(int64_t m, int64_t k);
  void round_rows(const Real* a, int64_t m, int64_t k);
  void quantise_rows(const Real* a, int64_t m, int64_t k);

  size_t row_bytes_ = 0;
  const void* rows_ = nullptr;
  const Real* scales_ = nullptr;
  Scratch<char, LeftOperand> memory_;
  Scratch<Real, LeftOperand> scale_memory_;
};

}  // namespace heed::kernels::cpu
