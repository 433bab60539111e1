// Where a packed product goes: a pass over its result, so as fast as vectors are.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/place.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include "tensor/kernels/cpu/place.h"
#include "tensor/kernels/cpu/ranges-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::HWY_NAMESPACE {

void add_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride) {
  for (int64_t i = 0; i < m; ++i) add_range(x + i * n, c + i * stride, n);
}

void place_tile_and_bias(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride,
                         const Real* bias) {
  for (int64_t i = 0; i < m; ++i, x += n, c += stride) {
    each_vector(n, [&](int64_t j, auto part) HWY_ATTR {
      part.store(hn::Add(part.load(x + j), part.load(bias + j)), c + j);
    });
  }
}

void copy_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride) {
  for (int64_t i = 0; i < m; ++i, x += n, c += stride)
    each_vector(n, [&](int64_t j, auto part) HWY_ATTR { part.store(part.load(x + j), c + j); });
}

}  // namespace heed::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels {

HWY_EXPORT(add_tile);
HWY_EXPORT(copy_tile);
HWY_EXPORT(place_tile_and_bias);

void place_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride, const Place& place) {
  if (place.accumulate) return HWY_DYNAMIC_DISPATCH(add_tile)(x, m, n, c, stride);
  if (place.bias == nullptr) return HWY_DYNAMIC_DISPATCH(copy_tile)(x, m, n, c, stride);
  HWY_DYNAMIC_DISPATCH(place_tile_and_bias)(x, m, n, c, stride, place.bias);
}

}  // namespace heed::kernels
#endif  // HWY_ONCE
