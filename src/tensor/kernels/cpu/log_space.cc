// Sums of values that are given by their logarithms.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/log_space.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>

#include <limits>

#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/elementwise.h"
#include "tensor/kernels/cpu/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

// With m the greater: log((1 - s) e^y + s e^x) = m + log((1 - s) e^(y - m) + s e^(x - m)), whose
// sum is at least the smaller of s and 1 - s.
void mix_in_log_range(Real share, const Real* x, Real* y, int64_t n) {
  const V none = set(-std::numeric_limits<Real>::infinity());
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V a = part.load(x + i), b = part.load(y + i);
    const auto a_is_more = hn::Gt(a, b);
    const V most = hn::IfThenElse(a_is_more, a, b);
    const V a_part = hn::Mul(set(share), exp_nonpositive(hn::Sub(a, most)));
    const V sum = hn::MulAdd(set(1 - share), exp_nonpositive(hn::Sub(b, most)), a_part);
    const V mixed = hn::Add(most, hn::Log(D(), sum));
    part.store(hn::IfThenElse(hn::Eq(most, none), none, mixed), y + i);
  });
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(mix_in_log_range);

void mix_in_log(Real share, const Tensor& x, const Tensor& y) {
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(mix_in_log_range)(share, x.data + begin, y.data + begin, end - begin);
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
