#include "base/permutation.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace heed {
namespace {

std::vector<uint64_t> order(uint64_t n, uint64_t key) {
  const Permutation permutation(n, key);
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < n; ++i) numbers.push_back(permutation(i));
  return numbers;
}

TEST(Permutation, HoldsEveryNumberBelowNOnce) {
  EXPECT_TRUE(rc::check([] {
    const auto n = static_cast<uint64_t>(*rc::gen::inRange(0, 3000));
    const Permutation permutation(n, *rc::gen::arbitrary<uint64_t>());
    std::vector<bool> seen(n);
    for (uint64_t i = 0; i < n; ++i) {
      const uint64_t number = permutation(i);
      RC_ASSERT(number < n);
      RC_ASSERT(!seen[number]);
      seen[number] = true;
    }
  }));
}

TEST(Permutation, HoldsEveryNumberAlsoAboveAPowerOfTwo) {
  for (const uint64_t n : {uint64_t{1} << 18, (uint64_t{1} << 18) + 1}) {
    std::vector<bool> seen(n);
    for (const uint64_t number : order(n, 3)) seen.at(number) = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<int64_t>(n));
  }
}

TEST(Permutation, IsAFunctionOfItsKey) {
  EXPECT_EQ(order(1000, 1), order(1000, 1));
  EXPECT_NE(order(1000, 1), order(1000, 2));
}

// Over many keys each number must be at each position equally often: chi-square with (20 - 1)^2 =
// 361 degrees of freedom, whose standard deviation is sqrt(722) = 27.
TEST(Permutation, PutsEveryNumberAnywhere) {
  constexpr uint64_t kN = 20, kKeys = 20000;
  std::vector<double> count(kN * kN);
  for (uint64_t key = 0; key < kKeys; ++key) {
    const Permutation permutation(kN, key);
    for (uint64_t i = 0; i < kN; ++i) ++count[i * kN + permutation(i)];
  }
  const double expected = static_cast<double>(kKeys) / kN;
  double chi_square = 0;
  for (const double c : count) chi_square += (c - expected) * (c - expected) / expected;
  EXPECT_NEAR(chi_square, 361, 5 * 27);
}

// In a random permutation half of the adjacent pairs ascend.
TEST(Permutation, LeavesNoTraceOfTheOrder) {
  constexpr uint64_t kN = 100000;
  const auto numbers = order(kN, 9);
  int64_t rises = 0, near = 0;
  for (size_t i = 1; i < kN; ++i) {
    rises += numbers[i] > numbers[i - 1];
    near += numbers[i] - numbers[i - 1] + 100 <= 200;  // at most 100 apart
  }
  EXPECT_NEAR(static_cast<double>(rises), kN / 2.0, 500) << "5 deviations of sqrt(N / 12)";
  EXPECT_NEAR(static_cast<double>(near), 200.0, 71) << "5 deviations of a Poisson of mean 200";
}

TEST(Permutation, RefusesPositionsFromNOn) {
  EXPECT_THROW(Permutation(5, 1)(5), InternalError);
  EXPECT_THROW(Permutation(0, 1)(0), InternalError);
}

}  // namespace
}  // namespace heed
