// In the double build, which has no products of fewer bits, these are the plain loops alone.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/narrow.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "tensor/kernels/cpu/narrow.h"
#include "tensor/kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::HWY_NAMESPACE {

#ifndef HEED_DOUBLE

using Words = hn::RebindToUnsigned<D>;  // 32 bits
using Signed = hn::RebindToSigned<D>;

// Each takes whole vectors of [0, n) and returns where it stopped.

HWY_INLINE int64_t bf16_vectors(const Real* x, uint16_t* y, int64_t n) {
  const D d;
  const Words words;
  const hn::Rebind<uint16_t, D> halves;
  const int64_t lanes = lane_count();
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V v = hn::LoadU(d, x + i);
    const auto bits = hn::BitCast(words, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1));
    const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(words, 0x7fff)), odd));
    const auto kept =
        hn::IfThenElse(hn::RebindMask(words, hn::IsNaN(v)), hn::Set(words, 0x7fc0), rounded);
    hn::StoreU(hn::DemoteTo(halves, hn::BitCast(Signed(), kept)), halves, y + i);
  }
  return i;
}

HWY_INLINE int64_t largest_of_vectors(const Real* x, int64_t n, Real& largest) {
  const int64_t lanes = lane_count();
  V most = set(0);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) most = hn::Max(most, hn::Abs(hn::LoadU(D(), x + i)));
  largest = max_lanes(most);
  return i;
}

HWY_INLINE int64_t quantise_vectors(Real inverse, const Real* x, int8_t* y, int64_t n) {
  const hn::Rebind<int8_t, D> bytes;
  const V factor = set(inverse), top = set(127), bottom = set(-127);
  const int64_t lanes = lane_count();
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V v = hn::Mul(factor, hn::LoadU(D(), x + i));
    const auto whole = hn::NearestInt(hn::Min(top, hn::Max(bottom, v)));
    hn::StoreU(hn::DemoteTo(bytes, whole), bytes, y + i);
  }
  return i;
}

HWY_INLINE int64_t raise_vectors(const Real* x, Real* most, int64_t n) {
  const D d;
  const int64_t lanes = lane_count();
  int64_t j = 0;
  for (; j + lanes <= n; j += lanes)
    hn::StoreU(hn::Max(hn::LoadU(d, most + j), hn::Abs(hn::LoadU(d, x + j))), d, most + j);
  return j;
}

HWY_INLINE int64_t quantise_each_vectors(const Real* inverse, const Real* x, int8_t* y, int64_t n) {
  const D d;
  const hn::Rebind<int8_t, D> bytes;
  const V top = set(127), bottom = set(-127);
  const int64_t lanes = lane_count();
  int64_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    const V v = hn::Mul(hn::LoadU(d, inverse + j), hn::LoadU(d, x + j));
    const auto whole = hn::NearestInt(hn::Min(top, hn::Max(bottom, v)));
    hn::StoreU(hn::DemoteTo(bytes, whole), bytes, y + j);
  }
  return j;
}

HWY_INLINE int64_t place_vectors(const int32_t* x, Real row_scale, const Real* column_scales,
                                 Real* y, int64_t n, bool accumulate) {
  const D d;
  const V row = set(row_scale);
  const int64_t lanes = lane_count();
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V value = hn::ConvertTo(d, hn::LoadU(Signed(), x + i));
    const V scaled = hn::Mul(hn::Mul(row, hn::LoadU(d, column_scales + i)), value);
    hn::StoreU(accumulate ? hn::Add(hn::LoadU(d, y + i), scaled) : scaled, d, y + i);
  }
  return i;
}

#else

HWY_INLINE int64_t bf16_vectors(const Real*, uint16_t*, int64_t) { return 0; }
HWY_INLINE int64_t largest_of_vectors(const Real*, int64_t, Real&) { return 0; }
HWY_INLINE int64_t quantise_vectors(Real, const Real*, int8_t*, int64_t) { return 0; }
HWY_INLINE int64_t raise_vectors(const Real*, Real*, int64_t) { return 0; }
HWY_INLINE int64_t quantise_each_vectors(const Real*, const Real*, int8_t*, int64_t) { return 0; }
HWY_INLINE int64_t place_vectors(const int32_t*, Real, const Real*, Real*, int64_t, bool) {
  return 0;
}

#endif  // HEED_DOUBLE

// The upper half of the bits, after half a unit of it, less a bit where that keeps it even.
HWY_INLINE uint16_t bf16_of(float x) {
  if (std::isnan(x)) return 0x7fc0;
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

void bf16_range(const Real* x, uint16_t* y, int64_t n) {
  for (int64_t i = bf16_vectors(x, y, n); i < n; ++i) y[i] = bf16_of(static_cast<float>(x[i]));
}

Real largest_of(const Real* x, int64_t n) {
  Real largest = 0;
  for (int64_t i = largest_of_vectors(x, n, largest); i < n; ++i)
    largest = std::max(largest, std::abs(x[i]));
  return largest;
}

HWY_INLINE int8_t whole_number(Real x) {
  return static_cast<int8_t>(std::nearbyint(std::clamp<Real>(x, -127, 127)));
}

void quantise_range(Real inverse, const Real* x, int8_t* y, int64_t n) {
  for (int64_t i = quantise_vectors(inverse, x, y, n); i < n; ++i)
    y[i] = whole_number(inverse * x[i]);
}

void quantise_columns_block(const Real* x, int64_t rows, int64_t stride, int64_t columns, int8_t* y,
                            Real* scales) {
  std::fill(scales, scales + columns, Real(0));
  for (int64_t i = 0; i < rows; ++i) {
    const Real* row = x + i * stride;
    for (int64_t j = raise_vectors(row, scales, columns); j < columns; ++j)
      scales[j] = std::max(scales[j], std::abs(row[j]));
  }
  std::vector<Real> inverse(static_cast<size_t>(columns));
  for (int64_t j = 0; j < columns; ++j) {
    scales[j] /= 127;
    inverse[static_cast<size_t>(j)] = scales[j] > 0 ? 1 / scales[j] : 0;
  }
  for (int64_t i = 0; i < rows; ++i) {
    const Real* row = x + i * stride;
    int8_t* to = y + i * columns;
    for (int64_t j = quantise_each_vectors(inverse.data(), row, to, columns); j < columns; ++j)
      to[j] = whole_number(inverse[static_cast<size_t>(j)] * row[j]);
  }
}

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void transpose_eight(const uint16_t* x, int64_t from, uint16_t* y, int64_t to) {
  for (int64_t i = 0; i < 8; ++i)
    for (int64_t j = 0; j < 8; ++j) y[j * to + i] = x[i * from + j];
}

#else

// 8 x 8 numbers of 16 bits: from rows that lie `from` apart to rows that lie `to` apart.
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
      const auto whole = upper ? hn::InterleaveUpper(d64, p, q) : hn::InterleaveLower(d64, p, q);
      hn::StoreU(hn::BitCast(d16, whole), d16, out + column * to);
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
  const int64_t width = (columns + 7) / 8 * 8;
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

void place_range(const int32_t* x, Real row_scale, const Real* column_scales, Real* y, int64_t n,
                 bool accumulate) {
  for (int64_t i = place_vectors(x, row_scale, column_scales, y, n, accumulate); i < n; ++i) {
    const Real scaled = row_scale * column_scales[i] * static_cast<Real>(x[i]);
    y[i] = accumulate ? y[i] + scaled : scaled;
  }
}

}  // namespace heed::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels {

HWY_EXPORT(bf16_range);
HWY_EXPORT(largest_of);
HWY_EXPORT(quantise_range);
HWY_EXPORT(place_range);
HWY_EXPORT(quantise_columns_block);
HWY_EXPORT(transpose_range);

void round_to_bf16(const Real* x, uint16_t* y, int64_t n) {
  HWY_DYNAMIC_DISPATCH(bf16_range)(x, y, n);
}

Real quantise(const Real* x, int8_t* y, int64_t n) {
  const Real scale = HWY_DYNAMIC_DISPATCH(largest_of)(x, n) / 127;
  quantise_with(scale, x, y, n);
  return scale;
}

void quantise_with(Real scale, const Real* x, int8_t* y, int64_t n) {
  if (scale > 0) {
    HWY_DYNAMIC_DISPATCH(quantise_range)(1 / scale, x, y, n);
  } else {
    std::fill(y, y + n, int8_t{0});
  }
}

void quantise_columns(const Real* x, int64_t rows, int64_t stride, int64_t columns, int8_t* y,
                      Real* scales) {
  HWY_DYNAMIC_DISPATCH(quantise_columns_block)(x, rows, stride, columns, y, scales);
}

void transpose_to_bf16(const Real* x, int64_t rows, int64_t stride, int64_t columns, int64_t depth,
                       uint16_t* y) {
  HWY_DYNAMIC_DISPATCH(transpose_range)(x, rows, stride, columns, depth, y);
}

void place_whole_numbers(const int32_t* x, Real row_scale, const Real* column_scales, Real* y,
                         int64_t n, bool accumulate) {
  HWY_DYNAMIC_DISPATCH(place_range)(x, row_scale, column_scales, y, n, accumulate);
}

}  // namespace heed::kernels
#endif  // HWY_ONCE
