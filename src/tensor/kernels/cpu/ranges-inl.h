// y = f(x) over n numbers that lie together; included once for each instruction set.
#if defined(HEED_KERNELS_RANGES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_RANGES_INL
#undef HEED_KERNELS_RANGES_INL
#else
#define HEED_KERNELS_RANGES_INL
#endif

#include "tensor/kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::HWY_NAMESPACE {

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

}  // namespace heed::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HEED_KERNELS_RANGES_INL
