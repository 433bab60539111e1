// Vectors of Real for one instruction set; included once per instruction set (see foreach_target.h
// of Highway). A kernel is a lambda over (i, part): `part` loads and stores a full vector, or at
// the end of the row only the remaining elements, so that nothing outside is read or written.
#if defined(HEED_KERNELS_SIMD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_SIMD_INL
#undef HEED_KERNELS_SIMD_INL
#else
#define HEED_KERNELS_SIMD_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "base/real.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<Real>;
using V = hn::Vec<D>;

HWY_INLINE V set(Real value) { return hn::Set(D(), value); }
HWY_INLINE int64_t lane_count() { return static_cast<int64_t>(hn::Lanes(D())); }

struct FullVector {
  HWY_INLINE V load(const Real* from) const { return hn::LoadU(D(), from); }
  HWY_INLINE V load_or(const Real* from, Real) const { return hn::LoadU(D(), from); }
  HWY_INLINE void store(V value, Real* to) const { hn::StoreU(value, D(), to); }
};

struct Tail {
  int64_t count;  // 0 < count < lanes

  HWY_INLINE V load(const Real* from) const { return load_or(from, Real(0)); }
  // Lanes from count on hold `fill`.
  HWY_INLINE V load_or(const Real* from, Real fill) const {
    HWY_ALIGN Real lanes[hn::MaxLanes(D())];
    for (int64_t i = 0; i < lane_count(); ++i) lanes[i] = i < count ? from[i] : fill;
    return hn::Load(D(), lanes);
  }
  HWY_INLINE void store(V value, Real* to) const {
    HWY_ALIGN Real lanes[hn::MaxLanes(D())];
    hn::Store(value, D(), lanes);
    for (int64_t i = 0; i < count; ++i) to[i] = lanes[i];
  }
};

// f(i, part) for the elements [0, n), a vector at a time.
template <class F>
HWY_INLINE void each_vector(int64_t n, const F& f) {
  const int64_t lanes = lane_count();
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) f(i, FullVector());
  if (i < n) f(i, Tail{n - i});
}

HWY_INLINE Real sum_lanes(V v) { return hn::GetLane(hn::SumOfLanes(D(), v)); }
HWY_INLINE Real max_lanes(V v) { return hn::GetLane(hn::MaxOfLanes(D(), v)); }

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HEED_KERNELS_SIMD_INL
