// In the double build, which has no products of fewer bits, these are the plain loops alone.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/narrow.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <algorithm>
#include <bit>
#include <cmath>

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

void quantise_range(Real inverse, const Real* x, int8_t* y, int64_t n) {
  for (int64_t i = quantise_vectors(inverse, x, y, n); i < n; ++i)
    y[i] = static_cast<int8_t>(std::nearbyint(std::clamp<Real>(inverse * x[i], -127, 127)));
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

void place_whole_numbers(const int32_t* x, Real row_scale, const Real* column_scales, Real* y,
                         int64_t n, bool accumulate) {
  HWY_DYNAMIC_DISPATCH(place_range)(x, row_scale, column_scales, y, n, accumulate);
}

}  // namespace heed::kernels
#endif  // HWY_ONCE
