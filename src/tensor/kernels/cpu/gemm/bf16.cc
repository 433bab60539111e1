// Rows and tiles rounded to bf16, the 16 high bits of a float, to nearest with ties to
// even: the operands of bf16 products. The double build, which has no such products, has
// the plain loops only.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/gemm/bf16.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/round_up.h"
#include "tensor/kernels/cpu/gemm/bf16-inl.h"
#include "tensor/kernels/cpu/gemm/low_precision.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

#ifndef HEED_DOUBLE

using Signed = hn::RebindToSigned<D>;

// Takes the full vectors of [0, n) and returns where it stopped.
HWY_INLINE int64_t bf16_vectors(const Real* x, uint16_t* y, int64_t n) {
  const D d;
  const hn::Rebind<uint16_t, D> halves;
  const int64_t lanes = lane_count();
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto high = hn::ShiftRight<16>(rounded_to_bf16(hn::LoadU(d, x + i)));
    hn::StoreU(hn::DemoteTo(halves, hn::BitCast(Signed(), high)), halves, y + i);
  }
  return i;
}

#else

HWY_INLINE int64_t bf16_vectors(const Real*, uint16_t*, int64_t) { return 0; }

#endif  // HEED_DOUBLE

// The upper half of the bits after adding half a unit of it, or one bit less so that ties
// go to even.
HWY_INLINE uint16_t bf16_of(float x) {
  if (std::isnan(x)) return 0x7fc0;
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

void bf16_range(const Real* x, uint16_t* y, int64_t n) {
  for (int64_t i = bf16_vectors(x, y, n); i < n; ++i) y[i] = bf16_of(static_cast<float>(x[i]));
}

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void transpose_eight(const uint16_t* x, int64_t from, uint16_t* y, int64_t to) {
  for (int64_t i = 0; i < 8; ++i)
    for (int64_t j = 0; j < 8; ++j) y[j * to + i] = x[i * from + j];
}

#else

// 8 x 8 elements of 16 bits, from rows that are `from` apart to rows that are `to` apart.
HWY_INLINE void transpose_eight(const uint16_t* x, int64_t from, uint16_t* y, int64_t to) {
  const hn::FixedTag<uint16_t, 8> d16;
  const hn::FixedTag<uint32_t, 4> d32;
  const hn::FixedTag<uint64_t, 2> d64;
  using V16 = hn::Vec<decltype(d16)>;
  V16 a[8], b[8];
  for (int i = 0; i < 8; ++i) a[i] = hn::LoadU(d16, x + i * from);
  for (int i = 0; i < 4; ++i) {  // pairs of rows
    b[i] = hn::InterleaveLower(d16, a[2 * i], a[2 * i + 1]);
    b[i + 4] = hn::InterleaveUpper(d16, a[2 * i], a[2 * i + 1]);
  }
  // b[i], b[i + 4]: columns 0-3 and 4-7 of rows 2 i, 2 i + 1.
  for (int half = 0; half < 2; ++half) {
    const V16* pairs = b + 4 * half;
    const auto wide = [&](int i) HWY_ATTR { return hn::BitCast(d32, pairs[i]); };
    const auto low = hn::InterleaveLower(d32, wide(0), wide(1));   // columns 0, 1 of rows 0-3
    const auto high = hn::InterleaveUpper(d32, wide(0), wide(1));  // columns 2, 3
    const auto low2 = hn::InterleaveLower(d32, wide(2), wide(3));  // the same of rows 4-7
    const auto high2 = hn::InterleaveUpper(d32, wide(2), wide(3));
    uint16_t* out = y + 4 * half * to;
    const auto put = [&](int column, auto first, auto second, bool upper) HWY_ATTR {
      const auto p = hn::BitCast(d64, first), q = hn::BitCast(d64, second);
      const auto pair = upper ? hn::InterleaveUpper(d64, p, q) : hn::InterleaveLower(d64, p, q);
      hn::StoreU(hn::BitCast(d16, pair), d16, out + column * to);
    };
    put(0, low, low2, false);
    put(1, low, low2, true);
    put(2, high, high2, false);
    put(3, high, high2, true);
  }
}

#endif

void transpose_range(const Real* x, int64_t rows, int64_t stride, int64_t columns, int64_t depth,
                     uint16_t* y) {
  const int64_t width = round_up<int64_t>(columns, 8);
  std::vector<uint16_t> strip(static_cast<size_t>(8 * width));
  for (int64_t i = 0; i < depth; i += 8) {
    for (int64_t r = 0; r < 8; ++r) {
      uint16_t* row = strip.data() + r * width;
      if (i + r < rows) {
        bf16_range(x + (i + r) * stride, row, columns);
      } else {
        std::fill(row, row + columns, uint16_t{0});
      }
    }
    int64_t j = 0;
    for (; j + 8 <= columns; j += 8)
      transpose_eight(strip.data() + j, width, y + j * depth + i, depth);
    for (; j < columns; ++j)
      for (int64_t r = 0; r < 8; ++r)
        y[j * depth + i + r] = strip[static_cast<size_t>(r * width + j)];
  }
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(bf16_range);
HWY_EXPORT(transpose_range);

void round_to_bf16(const Real* x, uint16_t* y, int64_t n) {
  HWY_DYNAMIC_DISPATCH(bf16_range)(x, y, n);
}

void transpose_to_bf16(const Real* x, int64_t rows, int64_t stride, int64_t columns, int64_t depth,
                       uint16_t* y) {
  HWY_DYNAMIC_DISPATCH(transpose_range)(x, rows, stride, columns, depth, y);
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
