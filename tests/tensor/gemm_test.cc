// Products against plain loops, on sizes that fill tiles, just miss them and span several.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/machine_peaks.h"

namespace heed::kernels {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

// A matrix with memory of its own, so that address checkers see each operand's edges.
struct Matrix {
  Matrix(int64_t r, int64_t c, Real value = 0)
      : rows(r), columns(c), numbers(static_cast<size_t>(r * c), value) {}

  Real& at(int64_t i, int64_t j) { return numbers[static_cast<size_t>(i * columns + j)]; }
  Real at(int64_t i, int64_t j) const { return numbers[static_cast<size_t>(i * columns + j)]; }
  Tensor tensor() { return {numbers.data(), {rows, columns}}; }

  int64_t rows, columns;
  std::vector<Real> numbers;
};

// Elements in [-1, 1) from the linear congruential generator of Numerical Recipes.
Matrix random_matrix(int64_t rows, int64_t columns, uint32_t seed) {
  Matrix result(rows, columns);
  uint32_t state = seed * 2654435761U + 1;
  for (Real& number : result.numbers) {
    state = state * 1664525U + 1013904223U;
    number = static_cast<Real>(static_cast<int32_t>(state >> 8) - (1 << 23)) /
             static_cast<Real>(1 << 23);
  }
  return result;
}

Matrix transpose(const Matrix& x) {
  Matrix result(x.columns, x.rows);
  for (int64_t i = 0; i < x.rows; ++i) {
    for (int64_t j = 0; j < x.columns; ++j) result.at(j, i) = x.at(i, j);
  }
  return result;
}

// Expects c = a b + before, within the rounding bound of a sum of K products in any order.
void expect_product(const Matrix& a, const Matrix& b, const Matrix& before, const Matrix& c,
                    const std::string& what) {
  constexpr auto kEpsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.columns; ++j) {
      long double sum = before.at(i, j), magnitude = std::abs(before.at(i, j));
      for (int64_t k = 0; k < a.columns; ++k) {
        const long double product = static_cast<long double>(a.at(i, k)) * b.at(k, j);
        sum += product;
        magnitude += std::abs(product);
      }
      const double bound =
          static_cast<double>(magnitude) * kEpsilon * static_cast<double>(a.columns + 2);
      ASSERT_NEAR(static_cast<double>(c.at(i, j)), static_cast<double>(sum), bound)
          << what << " " << a.rows << "x" << a.columns << "x" << b.columns << " at " << i << ", "
          << j;
    }
  }
}

// c = a b and c += a b through the packed product, from b and from its transpose.
void check_packed(const Matrix& a_in, const Matrix& b_in) {
  Matrix a = a_in;
  for (const bool transposed : {false, true}) {
    Matrix b = transposed ? transpose(b_in) : b_in;
    PackedMatrix packed;
    packed.pack(b.tensor(), transposed);
    Matrix c(a.rows, b_in.columns, kNan);
    gemm_packed(a.tensor(), packed, c.tensor(), false);
    expect_product(a, b_in, Matrix(a.rows, b_in.columns), c,
                   transposed ? "packed, transposed" : "packed");
    const Matrix before = random_matrix(a.rows, b_in.columns, 7);
    c = before;
    gemm_packed(a.tensor(), packed, c.tensor(), true);
    expect_product(a, b_in, before, c, "packed, accumulated");
    Matrix bias = random_matrix(1, b_in.columns, 8), rows(a.rows, b_in.columns);
    for (int64_t i = 0; i < rows.rows; ++i)
      for (int64_t j = 0; j < rows.columns; ++j) rows.at(i, j) = bias.at(0, j);
    gemm_packed(a.tensor(), packed, bias.tensor().reshaped({b_in.columns}), c.tensor());
    expect_product(a, b_in, rows, c, "packed, with bias");
  }
}

// The same through gemm, with each operand plain and transposed.
void check_plain(const Matrix& a_in, const Matrix& b_in) {
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      Matrix a = transpose_a ? transpose(a_in) : a_in, b = transpose_b ? transpose(b_in) : b_in;
      const std::string what =
          std::string("gemm ") + (transpose_a ? "t" : "n") + (transpose_b ? "t" : "n");
      Matrix c(a_in.rows, b_in.columns, kNan);
      gemm({a.tensor(), transpose_a}, {b.tensor(), transpose_b}, c.tensor(), false);
      expect_product(a_in, b_in, Matrix(a_in.rows, b_in.columns), c, what);
      const Matrix before = random_matrix(a_in.rows, b_in.columns, 8);
      c = before;
      gemm({a.tensor(), transpose_a}, {b.tensor(), transpose_b}, c.tensor(), true);
      expect_product(a_in, b_in, before, c, what + ", accumulated");
    }
  }
}

TEST(Gemm, EqualsPlainLoopsOnOddSizes) {
  for (const int64_t m : {1, 3, 17, 31, 65}) {
    for (const int64_t k : {1, 3, 17, 31, 65}) {
      for (const int64_t n : {1, 3, 17, 31, 65}) {
        const Matrix a = random_matrix(m, k, 1), b = random_matrix(k, n, 2);
        check_packed(a, b);
        check_plain(a, b);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Gemm, EqualsPlainLoopsOverSeveralTiles) {
  using Sizes = std::tuple<int64_t, int64_t, int64_t>;
  for (const auto& [m, k, n] :
       {Sizes{128, 64, 64}, Sizes{129, 65, 1025}, Sizes{257, 31, 257}, Sizes{300, 17, 513},
        Sizes{5, 700, 130}, Sizes{1, 1, 1200}, Sizes{300, 40, 1}, Sizes{1030, 3, 2049}}) {
    const Matrix a = random_matrix(m, k, 3), b = random_matrix(k, n, 4);
    check_packed(a, b);
    check_plain(a, b);
    if (HasFatalFailure()) return;
  }
}

TEST(Gemm, TakesTheLastAxisAsColumns) {
  Matrix a = random_matrix(6, 5, 1), b = random_matrix(5, 4, 2), c(6, 4, kNan);
  PackedMatrix packed;
  packed.pack(b.tensor(), false);
  gemm_packed(a.tensor().reshaped({2, 3, 5}), packed, c.tensor().reshaped({3, 2, 4}), false);
  expect_product(a, b, Matrix(6, 4), c, "packed");
  Matrix d(5, 5, kNan);
  gemm({a.tensor().reshaped({2, 3, 5}), true}, {a.tensor().reshaped({3, 2, 5})}, d.tensor(), false);
  expect_product(transpose(a), a, Matrix(5, 5), d, "gemm tn");
}

TEST(Gemm, GivesTheSameBitsForAnyNumberOfThreads) {
  Matrix a = random_matrix(333, 515, 1), b = random_matrix(515, 1100, 2), at = transpose(a);
  std::vector<Matrix> results;
  const int before = threads();
  for (const int count : {1, 2, 4}) {
    set_threads(count);
    PackedMatrix packed;
    packed.pack(b.tensor(), false);
    Matrix c(333, 1100, kNan), d(333, 1100, kNan);
    gemm_packed(a.tensor(), packed, c.tensor(), false);
    gemm({at.tensor(), true}, {b.tensor()}, d.tensor(), false);
    results.push_back(c);
    results.push_back(d);
  }
  set_threads(before);
  for (size_t i = 2; i < results.size(); ++i) {
    EXPECT_EQ(std::memcmp(results[i].numbers.data(), results[i % 2].numbers.data(),
                          sizeof(Real) * 333 * 1100),
              0)
        << i;
  }
}

TEST(Gemm, GivesTheSameBitsInsideParallelFor) {
  Matrix a = random_matrix(40, 64, 1), b = random_matrix(64, 200, 2);
  PackedMatrix packed;
  packed.pack(b.tensor(), false);
  Matrix expected(40, 200, kNan);
  gemm_packed(a.tensor(), packed, expected.tensor(), false);
  std::vector<Matrix> results(8, Matrix(40, 200, kNan));
  parallel_for(8, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      gemm_packed(a.tensor(), packed, results[static_cast<size_t>(i)].tensor(), false);
    }
  });
  for (const Matrix& result : results) EXPECT_EQ(result.numbers, expected.numbers);
}

TEST(Gemm, PassesInfinitiesAndNanOn) {
  Matrix a(2, 2, 1), b(2, 2, 1), c(2, 2);
  a.at(0, 0) = std::numeric_limits<Real>::infinity();
  a.at(1, 0) = kNan;
  PackedMatrix packed;
  packed.pack(b.tensor(), false);
  gemm_packed(a.tensor(), packed, c.tensor(), false);
  EXPECT_TRUE(std::isinf(c.at(0, 1)));
  EXPECT_TRUE(std::isnan(c.at(1, 1)));
  gemm({a.tensor()}, {b.tensor()}, c.tensor(), false);
  EXPECT_TRUE(std::isinf(c.at(0, 1)));
  EXPECT_TRUE(std::isnan(c.at(1, 1)));
}

TEST(Gemm, WithoutInnerSizeIsZeroOrLeavesTheSumAlone) {
  Matrix a(3, 0), b(0, 70), c(3, 70, kNan);
  PackedMatrix packed;
  packed.pack(b.tensor(), false);
  EXPECT_EQ(packed.rows(), 0);
  EXPECT_EQ(packed.columns(), 70);
  gemm_packed(a.tensor(), packed, c.tensor(), false);
  EXPECT_EQ(c.numbers, Matrix(3, 70, 0).numbers);
  c = Matrix(3, 70, kNan);
  gemm({a.tensor()}, {b.tensor()}, c.tensor(), false);
  EXPECT_EQ(c.numbers, Matrix(3, 70, 0).numbers);
  c = Matrix(3, 70, 5);
  gemm_packed(a.tensor(), packed, c.tensor(), true);
  gemm({a.tensor()}, {b.tensor()}, c.tensor(), true);
  EXPECT_EQ(c.numbers, Matrix(3, 70, 5).numbers);
}

TEST(Gemm, WithNoRowsOrNoColumnsDoesNothing) {
  Matrix no_rows(0, 4), b = random_matrix(4, 5, 1), no_result(0, 5), a = random_matrix(3, 4, 2),
                        no_columns(4, 0), no_width(3, 0);
  PackedMatrix packed;
  packed.pack(b.tensor(), false);
  gemm_packed(no_rows.tensor(), packed, no_result.tensor(), false);
  gemm({no_rows.tensor()}, {b.tensor()}, no_result.tensor(), false);
  packed.pack(no_columns.tensor(), false);
  EXPECT_TRUE(packed.empty());
  gemm_packed(a.tensor(), packed, no_width.tensor(), false);
  gemm({a.tensor()}, {no_columns.tensor()}, no_width.tensor(), true);
}

TEST(Gemm, RefusesShapesThatDoNotFit) {
  Matrix a(3, 4), b(5, 6), c(3, 6), fits(4, 6), wrong(3, 5);
  PackedMatrix packed;
  packed.pack(b.tensor(), false);
  EXPECT_THROW(gemm_packed(a.tensor(), packed, c.tensor(), false), InternalError);
  EXPECT_THROW(gemm_packed(a.tensor(), packed, a.tensor(), c.tensor()), InternalError);
  packed.pack(fits.tensor(), false);
  EXPECT_THROW(gemm_packed(a.tensor(), packed, wrong.tensor(), false), InternalError);
  EXPECT_THROW(gemm({a.tensor()}, {fits.tensor(), true}, c.tensor(), false), InternalError);
  EXPECT_THROW(packed.pack(fits.tensor().reshaped({24}), false), InternalError);
  try {
    gemm({a.tensor(), true}, {b.tensor()}, c.tensor(), false);
    FAIL() << "no error";
  } catch (const InternalError& error) {
    EXPECT_STREQ(error.what(),
                 "[gemm] c [M, C] = op(a) [M, K] op(b) [K, C]. Received a [3, 4] transposed, b [5, "
                 "6], c [3, 6]");
  }
}

TEST(PackedMatrix, TakesNewElementsAndNewShapes) {
  Matrix a = random_matrix(9, 20, 1);
  PackedMatrix packed;
  EXPECT_TRUE(packed.empty());
  for (const int64_t n : {30, 30, 100, 30}) {
    const Matrix b = random_matrix(20, n, static_cast<uint32_t>(n));
    Matrix changed = b;
    for (Real& number : changed.numbers) number *= 2;
    for (const Matrix& now : {b, changed}) {
      Matrix copy = now, c(9, n, kNan);
      packed.pack(copy.tensor(), false);
      gemm_packed(a.tensor(), packed, c.tensor(), false);
      expect_product(a, now, Matrix(9, n), c, "packed again");
    }
  }
}

TEST(PackedMatrix, KeepsItsElementsWhenTheOriginalChanges) {
  Matrix a = random_matrix(4, 5, 1), b = random_matrix(5, 6, 2), c(4, 6);
  const Matrix original = b;
  PackedMatrix packed;
  packed.pack(b.tensor(), false);
  std::fill(b.numbers.begin(), b.numbers.end(), kNan);
  PackedMatrix moved = std::move(packed);
  gemm_packed(a.tensor(), moved, c.tensor(), false);
  expect_product(a, original, Matrix(4, 6), c, "packed");
}

// Threads that do not belong to parallel_for may multiply as well, all with one packed matrix.
TEST(PackedMatrix, IsSharedBetweenThreads) {
  Matrix a = random_matrix(33, 48, 1), b = random_matrix(48, 90, 2);
  PackedMatrix packed;
  packed.pack(b.tensor(), false);
  std::vector<Matrix> results(3, Matrix(33, 90, kNan));
  std::vector<std::thread> pool;
  for (Matrix& result : results) {
    pool.emplace_back([&] {
      parallel_for(
          1, 1, [&](int64_t, int64_t) { gemm_packed(a.tensor(), packed, result.tensor(), false); });
    });
  }
  for (std::thread& thread : pool) thread.join();
  for (const Matrix& result : results) expect_product(a, b, Matrix(33, 90), result, "packed");
}

TEST(GemmPeak, IsAPlausibleSpeed) {
  const double peak = measure_gemm_peak(0.05);
  EXPECT_GT(peak, 0.05);
  EXPECT_LT(peak, 1e6);
}

TEST(GemmLibrary, HasAName) {
  EXPECT_TRUE(std::string(gemm_library()) == "oneDNN" || std::string(gemm_library()) == "Eigen")
      << gemm_library();
}

}  // namespace
}  // namespace heed::kernels
