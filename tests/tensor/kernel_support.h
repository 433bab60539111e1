// What the tests of the kernels share: tensors with memory of their own, plain-loop references in
// double, central differences, and runs over instruction sets and thread counts.
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cmath>
#include <functional>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "tensor/kernels/kernels.h"

namespace heed::test {

constexpr bool kDouble = sizeof(Real) == 8;
// Of a few operations on numbers near 1, as |difference| <= tolerance (1 + |expected|).
constexpr double kTolerance = kDouble ? 1e-13 : 2e-6;
// Central differences of a double function with step 1e-5 are good to about 1e-9.
constexpr double kGradientTolerance = kDouble ? 1e-8 : 1e-5;

// Lengths with and without a tail after the last full vector, and one of more than one chunk.
inline const std::vector<int64_t> kSizes = {0, 1, 3, 17, 31, 65, 16384 + 65};

// A tensor with memory of its own, so that address checkers see each operand's edges.
struct Numbers {
  explicit Numbers(const Shape& s, Real value = 0)
      : shape(s), data(static_cast<size_t>(s.size()), value) {}
  Numbers(const Shape& s, const std::vector<double>& from) : Numbers(s) {
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<Real>(from.at(i));
  }

  operator Tensor() { return {data.data(), shape}; }
  double operator[](int64_t i) const { return static_cast<double>(data[static_cast<size_t>(i)]); }
  std::vector<double> wide() const { return {data.begin(), data.end()}; }

  Shape shape;
  std::vector<Real> data;
};

// Views of what a vector holds: ids, flags, sums.
template <typename T>
View<T> view_of(std::vector<T>& x) {
  return {x.data(), {std::ssize(x)}, Device::cpu};
}
template <typename T>
View<const T> view_of(const std::vector<T>& x) {
  return {x.data(), {std::ssize(x)}, Device::cpu};
}

// Whether kernels look at ids; a release build relies on upload().
#ifdef NDEBUG
constexpr bool kChecksIds = false;
#else
constexpr bool kChecksIds = true;
#endif

inline Numbers random_numbers(const Shape& shape, uint64_t seed, double size = 1) {
  Numbers result(shape);
  Random random(seed);
  for (Real& element : result.data) element = static_cast<Real>(size * (2 * random.uniform() - 1));
  return result;
}

inline void expect_near(const Numbers& got, const std::vector<double>& expected,
                        double tolerance = kTolerance) {
  ASSERT_EQ(got.data.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const double value = static_cast<double>(got.data[i]);
    ASSERT_NEAR(value, expected[i], tolerance * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

// d sum_i weights_i f(x)_i / dx by central differences.
using PlainFunction = std::function<std::vector<double>(const std::vector<double>&)>;
inline std::vector<double> differences(const PlainFunction& f, std::vector<double> x,
                                       const std::vector<double>& weights) {
  constexpr double kStep = 1e-5;
  std::vector<double> result(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double at = x[i];
    x[i] = at + kStep;
    const std::vector<double> above = f(x);
    x[i] = at - kStep;
    const std::vector<double> below = f(x);
    x[i] = at;
    for (size_t j = 0; j < weights.size(); ++j)
      result[i] += weights[j] * (above[j] - below[j]) / (2 * kStep);
  }
  return result;
}

// Runs f once with each instruction set that this build holds and this processor has.
template <typename F>
void for_each_instruction_set(const F& f) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    f();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

// f() must return the same bits with one thread and with two.
template <typename F>
void expect_same_for_any_threads(const F& f) {
  set_threads(1);
  const auto one = f();
  set_threads(2);
  const auto two = f();
  set_threads(0);
  EXPECT_EQ(one, two);
}

}  // namespace heed::test
