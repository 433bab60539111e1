// Dropout against the one-counter-at-a-time Philox of base/.
#include <numeric>

#include "kernel_support.h"

namespace heed::kernels {
namespace {

using test::Numbers;
using test::random_numbers;

constexpr DropoutKey kKey{0x0123456789abcdefULL, 0xfedcba9876543210ULL};

bool kept(DropoutKey key, int64_t i, Real rate) {
  const uint64_t block = static_cast<uint64_t>(i) / 4;
  const auto words =
      philox4x32({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                  static_cast<uint32_t>(key.stream), static_cast<uint32_t>(key.stream >> 32)},
                 {static_cast<uint32_t>(key.seed), static_cast<uint32_t>(key.seed >> 32)});
  return words[static_cast<size_t>(i % 4)] / 0x1p32 >= static_cast<double>(rate);
}

TEST(DropoutKernels, MaskIsPhiloxOfTheElementOnEveryInstructionSet) {
  constexpr Real kRate = Real(0.375);
  test::for_each_instruction_set([&] {
    for (const int64_t n : test::kSizes) {
      Numbers x = random_numbers({n}, 1), y({n}), dx = random_numbers({n}, 2);
      std::vector<double> expected, expected_dx;
      for (int64_t i = 0; i < n; ++i) {
        expected.push_back(kept(kKey, i, kRate) ? x[i] / 0.625 : 0);
        expected_dx.push_back(dx[i] + expected.back());
      }
      dropout(x, kRate, kKey, y);
      test::expect_near(y, expected);
      dropout_backward(x, kRate, kKey, dx);
      test::expect_near(dx, expected_dx);
    }
  });
}

TEST(DropoutKernels, KeepsTheStatedShareAndTheMean) {
  constexpr int64_t kCount = 1000000;
  Numbers x({kCount}, 1), y({kCount});
  dropout(x, Real(0.3), {1, 2}, y);
  int64_t dropped = 0;
  for (const Real value : y.data) dropped += value == 0;
  EXPECT_NEAR(static_cast<double>(dropped), 300000, 5 * std::sqrt(kCount * 0.21));
  EXPECT_NEAR(std::accumulate(y.data.begin(), y.data.end(), 0.0) / kCount, 1, 0.005);
}

TEST(DropoutKernels, SeedAndStreamEachChangeTheMask) {
  Numbers x({256}, 1), y({256}), other({256});
  dropout(x, Real(0.5), {1, 2}, y);
  for (const DropoutKey key : {DropoutKey{2, 2}, DropoutKey{1, 3}, DropoutKey{1ULL << 32 | 1, 2},
                               DropoutKey{1, 1ULL << 32 | 2}}) {
    dropout(x, Real(0.5), key, other);
    EXPECT_NE(y.data, other.data);
  }
}

TEST(DropoutKernels, RateZeroKeepsEveryBit) {
  Numbers x = random_numbers({331}, 4), y({331});
  dropout(x, 0, kKey, y);
  EXPECT_EQ(x.data, y.data);
}

TEST(DropoutKernels, WorksInPlace) {
  Numbers x = random_numbers({331}, 4), y({331});
  dropout(x, Real(0.4), kKey, y);
  dropout(x, Real(0.4), kKey, x);
  EXPECT_EQ(x.data, y.data);
}

TEST(DropoutKernels, IsTheSameForAnyNumberOfThreads) {
  Numbers x = random_numbers({100003}, 4);
  test::expect_same_for_any_threads([&] {
    Numbers y(x.shape);
    dropout(x, Real(0.4), kKey, y);
    return y.data;
  });
}

TEST(DropoutKernels, WrongRatesAndSizesThrow) {
  Numbers x({3}), y({4});
  EXPECT_THROW(dropout(x, 1, kKey, x), InternalError);
  EXPECT_THROW(dropout(x, Real(-0.1), kKey, x), InternalError);
  EXPECT_THROW(dropout(x, Real(0.1), kKey, y), InternalError);
  EXPECT_THROW(dropout_backward(x, 1, kKey, x), InternalError);
  EXPECT_THROW(dropout_backward(x, Real(0.1), kKey, y), InternalError);
}

}  // namespace
}  // namespace heed::kernels
