#include "tensor/kernels/cpu/gemm/left_operand.h"

#include <algorithm>

#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/gemm/low_precision.h"

namespace heed::kernels::cpu {
namespace {

int64_t rows_per_chunk(int64_t k) { return std::max<int64_t>(1, kGrain / k); }

}  // namespace

LeftOperand::LeftOperand(const Real* a, int64_t m, int64_t k, Precision precision)
    : row_bytes_(static_cast<size_t>(k) * sizeof(Real)), rows_(a) {
  if (precision == Precision::bf16) round_rows(a, m, k);
  if (precision == Precision::int8) quantise_rows(a, m, k);
}

LeftOperand LeftOperand::transposed(const Real* a, int64_t R, int64_t M, int64_t depth) {
  constexpr int64_t kColumns = 64;
  LeftOperand left;
  auto* const to = left.take<uint16_t>(M, depth);
  parallel_for(M, kColumns, [&](int64_t begin, int64_t end) {
    transpose_to_bf16(a + begin, R, M, end - begin, depth, to + begin * depth);
  });
  return left;
}

// Memory for rows [m, k] of T.
template <typename T>
T* LeftOperand::take(int64_t m, int64_t k) {
  row_bytes_ = static_cast<size_t>(k) * sizeof(T);
  memory_ = Scratch<char, LeftOperand>(m * static_cast<int64_t>(row_bytes_));
  rows_ = memory_.data();
  return reinterpret_cast<T*>(memory_.data());
}

void LeftOperand::round_rows(const Real* a, int64_t m, int64_t k) {
  auto* const to = take<uint16_t>(m, k);
  parallel_for(m, rows_per_chunk(k), [&](int64_t begin, int64_t end) {
    round_to_bf16(a + begin * k, to + begin * k, (end - begin) * k);
  });
}

void LeftOperand::quantise_rows(const Real* a, int64_t m, int64_t k) {
  auto* const to = take<int8_t>(m, k);
  scale_memory_ = Scratch<Real, LeftOperand>(m);
  Real* const scales = scale_memory_.data();
  scales_ = scales;
  parallel_for(m, rows_per_chunk(k), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) scales[i] = quantise(a + i * k, to + i * k, k);
  });
}

}  // namespace heed::kernels::cpu
