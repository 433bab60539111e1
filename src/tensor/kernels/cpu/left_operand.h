// The left operand of a packed product in the type that its precision asks for.
#pragma once

#include <cstdint>
#include <vector>

#include "tensor/kernels/cpu/checks.h"
#include "tensor/kernels/cpu/narrow.h"
#include "tensor/kernels/cpu/place.h"
#include "tensor/kernels/kernels.h"

namespace heed::kernels {

// Rows [M, K], contiguous. f32: where they lie; else in memory of the calling thread, which grows
// once and serves one operand at a time.
class LeftOperand {
 public:
  LeftOperand(const Real* a, int64_t m, int64_t k, Precision precision)
      : row_bytes_(static_cast<size_t>(k) * sizeof(Real)), rows_(a) {
    if (precision == Precision::bf16) round_rows(a, m, k);
    if (precision == Precision::int8) quantise_rows(a, m, k);
  }

  // The transpose of a [R, M], whose rows lie M apart, in bf16: rows [M, depth] with zeros from R
  // on.
  static LeftOperand transposed(const Real* a, int64_t R, int64_t M, int64_t depth) {
    LeftOperand left(a, 0, depth, Precision::f32);
    uint16_t* to = left.take<uint16_t>(M, depth);
    constexpr int64_t kColumns = 64;
    parallel_for(M, kColumns, [&](int64_t begin, int64_t end) {
      transpose_to_bf16(a + begin, R, M, end - begin, depth, to + begin * depth);
    });
    return left;
  }

  const void* row(int64_t i) const {
    return static_cast<const char*>(rows_) + static_cast<size_t>(i) * row_bytes_;
  }
  // int8: the scale of each row; else null.
  const Real* scales_or_null() const { return scales_; }

 private:
  static std::vector<char>& memory() {
    static thread_local std::vector<char> all;
    return all;
  }
  static std::vector<Real>& scales() {
    static thread_local std::vector<Real> all;
    return all;
  }

  template <typename T>
  T* take(int64_t m, int64_t k) {
    row_bytes_ = static_cast<size_t>(k) * sizeof(T);
    if (memory().size() < static_cast<size_t>(m) * row_bytes_)
      memory().resize(static_cast<size_t>(m) * row_bytes_);
    rows_ = memory().data();
    return reinterpret_cast<T*>(memory().data());
  }

  void round_rows(const Real* a, int64_t m, int64_t k) {
    uint16_t* to = take<uint16_t>(m, k);
    parallel_for(m, rows_a_chunk(k), [&](int64_t begin, int64_t end) {
      round_to_bf16(a + begin * k, to + begin * k, (end - begin) * k);
    });
  }

  void quantise_rows(const Real* a, int64_t m, int64_t k) {
    int8_t* to = take<int8_t>(m, k);
    if (scales().size() < static_cast<size_t>(m)) scales().resize(static_cast<size_t>(m));
    Real* const scale_of = scales().data();  // of this thread, for the others as well
    scales_ = scale_of;
    parallel_for(m, rows_a_chunk(k), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) scale_of[i] = quantise(a + i * k, to + i * k, k);
    });
  }

  static int64_t rows_a_chunk(int64_t k) { return std::max<int64_t>(1, kGrain / k); }

  size_t row_bytes_;
  const void* rows_;
  const Real* scales_ = nullptr;
};

// c [m, N] from x = left B: gemm_packed without its checks.
void multiply_packed(const LeftOperand& left, int64_t m, const PackedMatrix& b, Tensor c,
                     const Place& place);

// c [M, N] = a^T b, or +=, with a [R, M] and b [R, N] rounded to bf16: gemm_transposed.cc.
void multiply_transposed_bf16(const Tensor& a, const Tensor& b, Tensor c, bool accumulate);

}  // namespace heed::kernels
