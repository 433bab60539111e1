// The exp that softmax, attention and cross-entropy are made of, for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/exp_test.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <limits>

#include "kernel_support.h"
#include "tensor/kernels/cpu/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

void exp_range(const Real* x, Real* y, int64_t n) {
  each_vector(n, [&](int64_t i, auto part)
                     HWY_ATTR { part.store(exp_nonpositive(part.load(x + i)), y + i); });
}

// The error that math-inl.h allows; `ulp` is that of the expected value.
double error_allowed(double x, double ulp) {
  if (HWY_NATIVE_FMA) return 2 * ulp;
  return std::max((2 + std::abs(x)) * ulp, static_cast<double>(std::numeric_limits<Real>::min()));
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(exp_range);
HWY_EXPORT(error_allowed);

namespace {

using test::Numbers;
using Limits = std::numeric_limits<Real>;

Numbers exp_of(const Numbers& x) {
  Numbers y(x.shape);
  HWY_DYNAMIC_DISPATCH(exp_range)(x.data.data(), y.data.data(), x.shape.size());
  return y;
}

// The distance between the numbers around a positive normal value.
double ulp_of(double value) {
  return std::ldexp(static_cast<double>(Limits::epsilon()), std::ilogb(value));
}

// An even sweep down to results that are no longer normal numbers, and one over small magnitudes.
Numbers sweep() {
  constexpr int64_t kSteps = 300000;
  const double lowest = std::log(static_cast<double>(Limits::min()));
  Numbers x({2 * kSteps});
  for (int64_t i = 0; i < kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    x.data[static_cast<size_t>(i)] = static_cast<Real>(share * lowest);
    x.data[static_cast<size_t>(kSteps + i)] = static_cast<Real>(-std::exp2(-60 * share));
  }
  return x;
}

TEST(Exp, IsAsExactAsStated) {
  const Numbers x = sweep();
  flush_denormals();
  test::for_each_instruction_set([&] {
    const Numbers y = exp_of(x);
    for (int64_t i = 0; i < x.shape.size(); ++i) {
      const double expected = std::exp(x[i]);
      const double allowed = HWY_DYNAMIC_DISPATCH(error_allowed)(x[i], ulp_of(expected));
      ASSERT_LE(std::abs(y[i] - expected), allowed) << x[i];
    }
  });
}

TEST(Exp, OfTheEdges) {
  Numbers x({4});
  x.data = {Real(0), -Limits::infinity(), Limits::lowest(), Limits::quiet_NaN()};
  test::for_each_instruction_set([&] {
    const Numbers y = exp_of(x);
    EXPECT_EQ(y[0], 1);
    EXPECT_EQ(y[1], 0);
    EXPECT_EQ(y[2], 0);
    EXPECT_TRUE(std::isnan(y[3]));
  });
}

}  // namespace
}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
