// y = f(x, ...) element by element, without transcendental functions (those are in activations.cc).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/elementwise.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>

#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/elementwise.h"
#include "tensor/kernels/cpu/simd/ranges-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

void fill_range(Real value, Real* y, int64_t n, bool streaming) {
  const V all = set(value);
  store_range(y, n, streaming, [&](int64_t, auto) HWY_ATTR { return all; });
  if (streaming) hwy::FlushStream();
}

void move_towards_range(Real share, const Real* x, Real* y, int64_t n) {
  const V factor = set(share);
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V now = part.load(y + i);
    part.store(hn::MulAdd(factor, hn::Sub(part.load(x + i), now), now), y + i);
  });
}

void multiply_range(const Real* a, const Real* b, Real* y, int64_t n) {
  each_vector(n, [&](int64_t i, auto part)
                     HWY_ATTR { part.store(hn::Mul(part.load(a + i), part.load(b + i)), y + i); });
}

void multiply_add_range(const Real* a, const Real* b, Real* y, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    part.store(hn::MulAdd(part.load(a + i), part.load(b + i), part.load(y + i)), y + i);
  });
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(fill_range);
HWY_EXPORT(add_range);
HWY_EXPORT(add_scaled_range);
HWY_EXPORT(move_towards_range);
HWY_EXPORT(multiply_range);
HWY_EXPORT(multiply_add_range);

void fill(const Tensor& y, Real value) {
  const bool streaming = y.size() >= kStreamingElements;
  parallel_for(y.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(fill_range)(value, y.data + begin, end - begin, streaming);
  });
}

void copy(const Tensor& x, const Tensor& y) {
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    std::memmove(y.data + begin, x.data + begin, static_cast<size_t>(end - begin) * sizeof(Real));
  });
}

void add(const Tensor& x, const Tensor& y) {
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(add_range)(x.data + begin, y.data + begin, end - begin);
  });
}

void add_scaled(Real scale, const Tensor& x, const Tensor& y) {
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(add_scaled_range)(scale, x.data + begin, y.data + begin, end - begin);
  });
}

void move_towards(Real share, const Tensor& x, const Tensor& y) {
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(move_towards_range)(share, x.data + begin, y.data + begin, end - begin);
  });
}

void swap(const Tensor& x, const Tensor& y) {
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    std::swap_ranges(x.data + begin, x.data + end, y.data + begin);
  });
}

void multiply(const Tensor& a, const Tensor& b, const Tensor& y) {
  parallel_for(a.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(multiply_range)
    (a.data + begin, b.data + begin, y.data + begin, end - begin);
  });
}

void multiply_add(const Tensor& a, const Tensor& b, const Tensor& y) {
  parallel_for(a.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(multiply_add_range)
    (a.data + begin, b.data + begin, y.data + begin, end - begin);
  });
}

void add_bias(const Tensor& bias, const Tensor& y) {
  const int64_t columns = y.shape.last();
  parallel_for(rows_of(y), row_grain(columns), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      HWY_DYNAMIC_DISPATCH(add_range)(bias.data, y.data + row * columns, columns);
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
