// Integers in [-127, 127] with a scale per row or column, for int8 products and quantised weights.
// The double build, which has no such products, has the plain loops only.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/gemm/int8.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tensor/kernels/cpu/gemm/low_precision.h"
#include "tensor/kernels/cpu/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

#ifndef HEED_DOUBLE

using Signed = hn::RebindToSigned<D>;  // 32 bits

// Each takes the full vectors of [0, n) and returns where it stopped.

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
    const auto integers = hn::NearestInt(hn::Min(top, hn::Max(bottom, v)));
    hn::StoreU(hn::DemoteTo(bytes, integers), bytes, y + i);
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
    const auto integers = hn::NearestInt(hn::Min(top, hn::Max(bottom, v)));
    hn::StoreU(hn::DemoteTo(bytes, integers), bytes, y + j);
  }
  return j;
}

HWY_INLINE int64_t scale_integers_vectors(const int32_t* x, Real row_scale,
                                          const Real* column_scales, Real* y, int64_t n,
                                          bool accumulate) {
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

HWY_INLINE int64_t largest_of_vectors(const Real*, int64_t, Real&) { return 0; }
HWY_INLINE int64_t quantise_vectors(Real, const Real*, int8_t*, int64_t) { return 0; }
HWY_INLINE int64_t raise_vectors(const Real*, Real*, int64_t) { return 0; }
HWY_INLINE int64_t quantise_each_vectors(const Real*, const Real*, int8_t*, int64_t) { return 0; }
HWY_INLINE int64_t scale_integers_vectors(const int32_t*, Real, const Real*, Real*, int64_t, bool) {
  return 0;
}

#endif  // HEED_DOUBLE

Real largest_of(const Real* x, int64_t n) {
  Real largest = 0;
  for (int64_t i = largest_of_vectors(x, n, largest); i < n; ++i)
    largest = std::max(largest, std::abs(x[i]));
  return largest;
}

HWY_INLINE int8_t to_integer(Real x) {
  return static_cast<int8_t>(std::nearbyint(std::clamp<Real>(x, -127, 127)));
}

void quantise_range(Real inverse, const Real* x, int8_t* y, int64_t n) {
  for (int64_t i = quantise_vectors(inverse, x, y, n); i < n; ++i)
    y[i] = to_integer(inverse * x[i]);
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
      to[j] = to_integer(inverse[static_cast<size_t>(j)] * row[j]);
  }
}

void scale_integers_range(const int32_t* x, Real row_scale, const Real* column_scales, Real* y,
                          int64_t n, bool accumulate) {
  for (int64_t i = scale_integers_vectors(x, row_scale, column_scales, y, n, accumulate); i < n;
       ++i) {
    const Real scaled = row_scale * column_scales[i] * static_cast<Real>(x[i]);
    y[i] = accumulate ? y[i] + scaled : scaled;
  }
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(largest_of);
HWY_EXPORT(quantise_range);
HWY_EXPORT(scale_integers_range);
HWY_EXPORT(quantise_columns_block);

Real quantise(const Real* x, int8_t* y, int64_t n) {
  const Real scale = HWY_DYNAMIC_DISPATCH(largest_of)(x, n) / 127;
  if (scale > 0) {
    HWY_DYNAMIC_DISPATCH(quantise_range)(1 / scale, x, y, n);
  } else {
    std::fill(y, y + n, int8_t{0});
  }
  return scale;
}

void quantise_columns(const Real* x, int64_t rows, int64_t stride, int64_t columns, int8_t* y,
                      Real* scales) {
  HWY_DYNAMIC_DISPATCH(quantise_columns_block)(x, rows, stride, columns, y, scales);
}

void scale_integers(const int32_t* x, Real row_scale, const Real* column_scales, Real* y, int64_t n,
                    bool accumulate) {
  HWY_DYNAMIC_DISPATCH(scale_integers_range)(x, row_scale, column_scales, y, n, accumulate);
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
