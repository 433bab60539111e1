// A pass over the result of a product, one vector at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/gemm/epilogue.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/cache_control.h>

#include <algorithm>

#include "tensor/kernels/cpu/gemm/epilogue.h"
#include "tensor/kernels/cpu/gemm/low_precision.h"
#include "tensor/kernels/cpu/simd/ranges-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

void add_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride) {
  for (int64_t i = 0; i < m; ++i) add_range(x + i * n, c + i * stride, n);
}

void store_tile_and_bias(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride,
                         const Real* bias, bool streaming) {
  for (int64_t i = 0; i < m; ++i, x += n, c += stride)
    store_range(c, n, streaming, [&](int64_t j, auto part) HWY_ATTR {
      return hn::Add(part.load(x + j), part.load(bias + j));
    });
  if (streaming) hwy::FlushStream();
}

void copy_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride, bool streaming) {
  for (int64_t i = 0; i < m; ++i, x += n, c += stride)
    store_range(c, n, streaming, [&](int64_t j, auto part) HWY_ATTR { return part.load(x + j); });
  if (streaming) hwy::FlushStream();
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(add_tile);
HWY_EXPORT(copy_tile);
HWY_EXPORT(store_tile_and_bias);

void store_tile(const Real* x, int64_t m, int64_t n, Real* c, int64_t stride,
                const Epilogue& epilogue) {
  if (epilogue.accumulate) return HWY_DYNAMIC_DISPATCH(add_tile)(x, m, n, c, stride);
  if (epilogue.bias == nullptr)
    return HWY_DYNAMIC_DISPATCH(copy_tile)(x, m, n, c, stride, epilogue.streaming);
  HWY_DYNAMIC_DISPATCH(store_tile_and_bias)
  (x, m, n, c, stride, epilogue.bias, epilogue.streaming);
}

void store_tile(const int32_t* x, const Scales& scales, int64_t m, int64_t n, Real* c,
                int64_t stride, const Epilogue& epilogue) {
  const bool adds = epilogue.accumulate || epilogue.bias != nullptr;
  for (int64_t i = 0; i < m; ++i, x += n, c += stride) {
    if (epilogue.bias != nullptr) std::copy_n(epilogue.bias, n, c);
    scale_integers(x, scales.rows[i], scales.columns, c, n, adds);
  }
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
