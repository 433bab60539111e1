// y = f(x) over n contiguous elements; included once per instruction set.
#if defined(HEED_KERNELS_RANGES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_RANGES_INL
#undef HEED_KERNELS_RANGES_INL
#else
#define HEED_KERNELS_RANGES_INL
#endif

#include "tensor/kernels/cpu/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

// y[i] = value(i, part). `streaming`: by stores that bypass the caches, if y is aligned for them;
// call hwy::FlushStream() afterwards.
template <class F>
HWY_INLINE void store_range(Real* y, int64_t n, bool streaming, const F& value) {
  const int64_t lanes = lane_count();
  const auto bytes = static_cast<uintptr_t>(lanes) * sizeof(Real);
  if (!streaming || n % lanes != 0 || reinterpret_cast<uintptr_t>(y) % bytes != 0)
    return each_vector(n,
                       [&](int64_t i, auto part) HWY_ATTR { part.store(value(i, part), y + i); });
  for (int64_t i = 0; i < n; i += lanes) hn::Stream(value(i, FullVector()), D(), y + i);
}

inline void add_range(const Real* x, Real* y, int64_t n) {
  each_vector(n, [&](int64_t i, auto part)
                     HWY_ATTR { part.store(hn::Add(part.load(x + i), part.load(y + i)), y + i); });
}

inline void add_scaled_range(Real scale, const Real* x, Real* y, int64_t n) {
  const V factor = set(scale);
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    part.store(hn::MulAdd(factor, part.load(x + i), part.load(y + i)), y + i);
  });
}

inline void scale_range(Real scale, const Real* x, Real* y, int64_t n) {
  const V factor = set(scale);
  each_vector(n, [&](int64_t i, auto part)
                     HWY_ATTR { part.store(hn::Mul(factor, part.load(x + i)), y + i); });
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HEED_KERNELS_RANGES_INL
