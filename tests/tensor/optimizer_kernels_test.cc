// One optimizer step against the algorithms as their papers write them, in double.
#include "kernel_support.h"

namespace heed::kernels {
namespace {

using test::expect_near;
using test::Numbers;
using test::random_numbers;

constexpr double kScale = 0.25;  // gradient_scale of every test

Numbers positive_numbers(const Shape& shape, uint64_t seed) {
  Numbers result = random_numbers(shape, seed);
  for (Real& x : result.data) x = std::abs(x);
  return result;
}

TEST(OptimizerKernels, AdamIsAlgorithmOne) {
  const AdamStep step{0.01, 0.9, 0.98, 1e-6, 1 - std::pow(0.9, 3), 1 - std::pow(0.98, 3)};
  test::for_each_instruction_set([&] {
    for (const int64_t n : test::kSizes) {
      Numbers g = random_numbers({n}, 1), m = random_numbers({n}, 2), p = random_numbers({n}, 4);
      Numbers v = positive_numbers({n}, 3);
      std::vector<double> m2, v2, p2;
      for (int64_t i = 0; i < n; ++i) {
        const double gradient = kScale * g[i];
        m2.push_back(0.9 * m[i] + 0.1 * gradient);
        v2.push_back(0.98 * v[i] + 0.02 * gradient * gradient);
        p2.push_back(p[i] - 0.01 * (m2.back() / step.correction1) /
                                (std::sqrt(v2.back() / step.correction2) + 1e-6));
      }
      adam(g, Real(kScale), step, m, v, p);
      expect_near(m, m2);
      expect_near(v, v2);
      expect_near(p, p2);
    }
  });
}

TEST(OptimizerKernels, FirstAdamStepIsTheLearningRateAgainstTheSign) {
  Numbers g({4}, std::vector<double>{1e-3, -1e-3, 5, -5}), m({4}), v({4}), p({4});
  adam(g, 1, {0.01, 0.9, 0.999, 1e-12, 0.1, 0.001}, m, v, p);
  expect_near(p, {-0.01, 0.01, -0.01, 0.01}, 1e-6);
}

TEST(OptimizerKernels, AdamLeavesAZeroGradientWithoutMomentsAlone) {
  Numbers g({4}), m({4}), v({4}), p({4}, 3);
  adam(g, 1, {0.01, 0.9, 0.999, 1e-8, 0.1, 0.001}, m, v, p);
  EXPECT_EQ(p.data, std::vector<Real>(4, 3));
}

TEST(OptimizerKernels, SgdKeepsAVelocity) {
  test::for_each_instruction_set([] {
    for (const int64_t n : test::kSizes) {
      Numbers g = random_numbers({n}, 1), velocity = random_numbers({n}, 2);
      Numbers p = random_numbers({n}, 3);
      std::vector<double> velocity2, p2;
      for (int64_t i = 0; i < n; ++i) {
        velocity2.push_back(0.9 * velocity[i] + kScale * g[i]);
        p2.push_back(p[i] - 0.1 * velocity2.back());
      }
      sgd(g, Real(kScale), {0.1, 0.9}, velocity, p);
      expect_near(velocity, velocity2);
      expect_near(p, p2);
    }
  });
}

TEST(OptimizerKernels, AdadeltaIsAlgorithmOne) {
  test::for_each_instruction_set([] {
    for (const int64_t n : test::kSizes) {
      Numbers g = random_numbers({n}, 1), square = positive_numbers({n}, 2);
      Numbers update = positive_numbers({n}, 3), p = random_numbers({n}, 4);
      std::vector<double> square2, update2, p2;
      for (int64_t i = 0; i < n; ++i) {
        const double gradient = kScale * g[i];
        square2.push_back(0.95 * square[i] + 0.05 * gradient * gradient);
        const double delta =
            std::sqrt(update[i] + 1e-3) / std::sqrt(square2.back() + 1e-3) * gradient;
        update2.push_back(0.95 * update[i] + 0.05 * delta * delta);
        p2.push_back(p[i] - 0.5 * delta);
      }
      adadelta(g, Real(kScale), {0.5, 0.95, 1e-3}, square, update, p);
      expect_near(square, square2);
      expect_near(update, update2);
      expect_near(p, p2);
    }
  });
}

TEST(OptimizerKernels, AreTheSameForAnyNumberOfThreads) {
  test::expect_same_for_any_threads([] {
    const Shape shape{50001};
    Numbers g = random_numbers(shape, 1), m = random_numbers(shape, 2);
    Numbers v = positive_numbers(shape, 3), p = random_numbers(shape, 4), velocity(shape);
    adam(g, 1, {0.01, 0.9, 0.999, 1e-8, 0.1, 0.001}, m, v, p);
    sgd(g, 1, {0.1, 0.9}, velocity, p);
    adadelta(g, 1, {0.1, 0.9, 1e-6}, v, v, p);
    return std::vector{m.data, v.data, p.data, velocity.data};
  });
}

TEST(OptimizerKernels, WrongSizesThrow) {
  Numbers a({3}), b({4});
  const AdamStep step{0.01, 0.9, 0.999, 1e-8, 0.1, 0.001};
  EXPECT_THROW(adam(a, 1, step, b, a, a), InternalError);
  EXPECT_THROW(adam(a, 1, step, a, b, a), InternalError);
  EXPECT_THROW(adam(a, 1, step, a, a, b), InternalError);
  EXPECT_THROW(sgd(a, 1, {0.1, 0}, b, a), InternalError);
  EXPECT_THROW(sgd(a, 1, {0.1, 0}, a, b), InternalError);
  EXPECT_THROW(adadelta(a, 1, {0.1, 0.9, 1e-6}, b, a, a), InternalError);
  EXPECT_THROW(adadelta(a, 1, {0.1, 0.9, 1e-6}, a, b, a), InternalError);
  EXPECT_THROW(adadelta(a, 1, {0.1, 0.9, 1e-6}, a, a, b), InternalError);
}

}  // namespace
}  // namespace heed::kernels
