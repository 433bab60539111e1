// tanh and sigmoid with their gradients, written in terms of the value y.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/activations.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/elementwise.h"
#include "tensor/kernels/cpu/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

void tanh_range(const Real* x, Real* y, int64_t n) {
  each_vector(n,
              [&](int64_t i, auto part) HWY_ATTR { part.store(tanh_of(part.load(x + i)), y + i); });
}

void sigmoid_range(const Real* x, Real* y, int64_t n) {
  each_vector(
      n, [&](int64_t i, auto part) HWY_ATTR { part.store(sigmoid_of(part.load(x + i)), y + i); });
}

void tanh_backward_range(const Real* y, const Real* dy, Real* dx, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V value = part.load(y + i);
    const V slope = hn::NegMulAdd(value, value, set(1));
    part.store(hn::MulAdd(part.load(dy + i), slope, part.load(dx + i)), dx + i);
  });
}

void sigmoid_backward_range(const Real* y, const Real* dy, Real* dx, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V value = part.load(y + i);
    const V slope = hn::NegMulAdd(value, value, value);
    part.store(hn::MulAdd(part.load(dy + i), slope, part.load(dx + i)), dx + i);
  });
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(tanh_range);
HWY_EXPORT(sigmoid_range);
HWY_EXPORT(tanh_backward_range);
HWY_EXPORT(sigmoid_backward_range);

void tanh(const Tensor& x, const Tensor& y) {
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(tanh_range)(x.data + begin, y.data + begin, end - begin);
  });
}

void sigmoid(const Tensor& x, const Tensor& y) {
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(sigmoid_range)(x.data + begin, y.data + begin, end - begin);
  });
}

void tanh_backward(const Tensor& y, const Tensor& dy, const Tensor& dx) {
  parallel_for(y.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(tanh_backward_range)
    (y.data + begin, dy.data + begin, dx.data + begin, end - begin);
  });
}

void sigmoid_backward(const Tensor& y, const Tensor& dy, const Tensor& dx) {
  parallel_for(y.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(sigmoid_backward_range)
    (y.data + begin, dy.data + begin, dx.data + begin, end - begin);
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
