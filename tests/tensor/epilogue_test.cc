#include "tensor/kernels/cpu/gemm/epilogue.h"

#include <gtest/gtest.h>

#include <vector>

namespace heed::kernels::cpu {
namespace {

constexpr int64_t kRows = 3, kGap = 2, kUntouched = -1000;

std::vector<Real> counted(int64_t n, Real step) {
  std::vector<Real> numbers(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) numbers[static_cast<size_t>(i)] = step * static_cast<Real>(i + 1);
  return numbers;
}

// Widths around those of vectors; c has gaps between its rows, which must not change.
class StoreTile : public testing::TestWithParam<int64_t> {
 protected:
  // c after the tile was stored; c was kUntouched everywhere.
  std::vector<Real> stored(const Epilogue& epilogue) const {
    std::vector<Real> c(static_cast<size_t>(kRows * (n_ + kGap)), Real(kUntouched));
    store_tile(x_.data(), kRows, n_, c.data(), n_ + kGap, epilogue);
    return c;
  }

  template <typename F>
  void expect(const std::vector<Real>& c, const F& expected) const {
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t j = 0; j < n_ + kGap; ++j) {
        const Real value = j < n_ ? expected(x_[static_cast<size_t>(i * n_ + j)], j) : kUntouched;
        ASSERT_EQ(c[static_cast<size_t>(i * (n_ + kGap) + j)], value) << i << ", " << j;
      }
    }
  }

  int64_t n_ = GetParam();
  std::vector<Real> x_ = counted(kRows * n_, 1), bias_ = counted(n_, Real(0.5));
};

TEST_P(StoreTile, CopiesRows) {
  expect(stored({}), [](Real x, int64_t) { return x; });
}

TEST_P(StoreTile, AddsToWhatIsThere) {
  expect(stored({true, nullptr}), [](Real x, int64_t) { return x + kUntouched; });
}

TEST_P(StoreTile, AddsABias) {
  expect(stored({false, bias_.data()}),
         [&](Real x, int64_t j) { return x + bias_[static_cast<size_t>(j)]; });
}

TEST_P(StoreTile, StreamsToAnyAddress) {
  expect(stored({false, nullptr, true}), [](Real x, int64_t) { return x; });
  expect(stored({false, bias_.data(), true}),
         [&](Real x, int64_t j) { return x + bias_[static_cast<size_t>(j)]; });
}

TEST(StoreTileStreaming, StreamsToAnAlignedAddress) {
  constexpr int64_t kRowsOfC = 5, kColumns = 64;
  struct alignas(64) Matrix {
    Real numbers[kRowsOfC * kColumns];
  } c;
  const std::vector<Real> x = counted(kRowsOfC * kColumns, 1), bias = counted(kColumns, 2);
  store_tile(x.data(), kRowsOfC, kColumns, c.numbers, kColumns, {false, bias.data(), true});
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(c.numbers[i], x[i] + bias[i % kColumns]) << i;
  store_tile(x.data(), kRowsOfC, kColumns, c.numbers, kColumns, {false, nullptr, true});
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(c.numbers[i], x[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(Widths, StoreTile, testing::Values(1, 3, 4, 8, 15, 16, 17, 33, 128));

}  // namespace
}  // namespace heed::kernels::cpu
