// tanh and sigmoid against the double library, over a dense sweep and at the edges.
#include <limits>

#include "kernel_support.h"

namespace heed::kernels {
namespace {

using test::Numbers;
using test::random_numbers;

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

double plain_sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// The largest excess of the error over what kernels.h allows (4 ulp or 2e-7); at most 0 if
// there is none.
template <typename F, typename Plain>
double worst_excess(const F& f, const Plain& plain, Numbers& x) {
  Numbers y(x.shape);
  f(x, y);
  double worst = -1;
  for (int64_t i = 0; i < x.shape.size(); ++i) {
    const double expected = plain(x[i]);
    const double ulp =
        std::abs(expected) * static_cast<double>(std::numeric_limits<Real>::epsilon());
    const double allowed = std::max(4 * ulp, test::kDouble ? 1e-15 : 2e-7);
    worst = std::max(worst, std::abs(y[i] - expected) - allowed);
    if (std::isnan(y[i])) return kInfinity;
  }
  return worst;
}

// Both signs and all magnitudes: an even sweep over [-20, 20] and one over the exponents of
// all finite numbers.
Numbers sweep() {
  constexpr int64_t kSteps = 200000;
  Numbers x({2 * kSteps + 2});
  for (int64_t i = 0; i <= kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    x.data[static_cast<size_t>(i)] = static_cast<Real>(-20 + 40 * share);
    const double size = std::exp2(-148 + 275.9 * share);
    x.data[static_cast<size_t>(kSteps + 1 + i)] = static_cast<Real>(i % 2 ? size : -size);
  }
  return x;
}

TEST(ActivationKernels, TanhIsAsExactAsStated) {
  Numbers x = sweep();
  test::for_each_instruction_set([&] {
    EXPECT_LE(worst_excess([](Tensor a, Tensor y) { tanh(a, y); },
                           [](double a) { return std::tanh(a); }, x),
              0);
  });
}

TEST(ActivationKernels, SigmoidIsAsExactAsStated) {
  Numbers x = sweep();
  test::for_each_instruction_set([&] {
    EXPECT_LE(worst_excess([](Tensor a, Tensor y) { sigmoid(a, y); }, plain_sigmoid, x), 0);
  });
}

TEST(ActivationKernels, TanhOfSmallNumbersKeepsItsRelativeError) {
  Numbers x({64}), y({64});
  for (int i = 0; i < 64; ++i) x.data[static_cast<size_t>(i)] = std::ldexp(Real(1.3), -1 - i);
  test::for_each_instruction_set([&] {
    tanh(x, y);
    for (int64_t i = 0; i < 64; ++i)
      EXPECT_NEAR(y[i] / std::tanh(x[i]), 1,
                  4 * static_cast<double>(std::numeric_limits<Real>::epsilon()));
  });
}

TEST(ActivationKernels, EdgesAreExact) {
  test::for_each_instruction_set([] {
    Numbers x({7}), y({7});
    x.data = {Real(0), Real(-0.0), kInfinity, -kInfinity, kNan, Real(1000), Real(-1000)};
    tanh(x, y);
    EXPECT_EQ(y[0], 0);
    EXPECT_FALSE(std::signbit(y[0]));
    EXPECT_EQ(y[1], 0);
    EXPECT_TRUE(std::signbit(y[1]));
    EXPECT_EQ(y[2], 1);
    EXPECT_EQ(y[3], -1);
    EXPECT_TRUE(std::isnan(y[4]));
    EXPECT_EQ(y[5], 1);
    EXPECT_EQ(y[6], -1);
    sigmoid(x, y);
    EXPECT_EQ(y[0], 0.5);
    EXPECT_EQ(y[1], 0.5);
    EXPECT_EQ(y[2], 1);
    EXPECT_EQ(y[3], 0);
    EXPECT_TRUE(std::isnan(y[4]));
    EXPECT_EQ(y[5], 1);
    EXPECT_EQ(y[6], 0);
  });
}

TEST(ActivationKernels, NeverLeaveTheirRange) {
  Numbers x = sweep(), y(x.shape);
  test::for_each_instruction_set([&] {
    tanh(x, y);
    for (const Real value : y.data) ASSERT_LE(std::abs(value), 1);
    sigmoid(x, y);
    for (const Real value : y.data) ASSERT_TRUE(value >= 0 && value <= 1);
  });
}

TEST(ActivationKernels, GradientsAddTheSlope) {
  for (const int64_t n : test::kSizes) {
    Numbers y = random_numbers({n}, 1), dy = random_numbers({n}, 2), dx = random_numbers({n}, 3);
    std::vector<double> tanh_expected, sigmoid_expected;
    for (int64_t i = 0; i < n; ++i) {
      tanh_expected.push_back(dx[i] + dy[i] * (1 - y[i] * y[i]));
      sigmoid_expected.push_back(dx[i] + dy[i] * y[i] * (1 - y[i]));
    }
    Numbers other = dx;
    tanh_backward(y, dy, dx);
    test::expect_near(dx, tanh_expected);
    sigmoid_backward(y, dy, other);
    test::expect_near(other, sigmoid_expected);
  }
}

TEST(ActivationKernels, WrongSizesThrow) {
  Numbers a({3}), b({4});
  EXPECT_THROW(tanh(a, b), InternalError);
  EXPECT_THROW(sigmoid(a, b), InternalError);
  EXPECT_THROW(tanh_backward(a, b, a), InternalError);
  EXPECT_THROW(tanh_backward(a, a, b), InternalError);
  EXPECT_THROW(sigmoid_backward(a, b, a), InternalError);
  EXPECT_THROW(sigmoid_backward(a, a, b), InternalError);
}

}  // namespace
}  // namespace heed::kernels
