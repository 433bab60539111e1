// Where a packed product goes: a pass over its result, so as fast as vectors are.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/place.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/cache_control.h>

#include "tensor/kernels/cpu/place.h"
#include "tensor/kernels/cpu/ranges-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::HWY_NAMESPACE {

void add_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride) {
  for (int64_t i = 0; i < m; ++i) add_range(x + i * n, c + i * stride, n);
}

void place_tile_and_bias(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride,
                         const Real* bias, bool far) {
  for (int64_t i = 0; i < m; ++i, x += n, c += stride)
    put_range(c, n, far, [&](int64_t j, auto part) HWY_ATTR {
      return hn::Add(part.load(x + j), part.load(bias + j));
    });
  if (far) hwy::FlushStream();
}

void copy_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride, bool far) {
  for (int64_t i = 0; i < m; ++i, x += n, c += stride)
    put_range(c, n, far, [&](int64_t j, auto part) HWY_ATTR { return part.load(x + j); });
  if (far) hwy::FlushStream();
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
  if (place.bias == nullptr) return HWY_DYNAMIC_DISPATCH(copy_tile)(x, m, n, c, stride, place.far);
  HWY_DYNAMIC_DISPATCH(place_tile_and_bias)(x, m, n, c, stride, place.bias, place.far);
}

}  // namespace heed::kernels
#endif  // HWY_ONCE
