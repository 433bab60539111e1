// Concatenated columns, gathered and scattered rows, picked elements, dot products of rows.
#include "kernel_support.h"

namespace heed::kernels {
namespace {

using test::Numbers;
using test::random_numbers;
using test::view_of;

TEST(RowKernels, CopyIntoColumnsConcatenates) {
  for (const int64_t rows : {0, 1, 17, 600}) {
    Numbers a = random_numbers({rows, 3}, 1), b = random_numbers({rows, 31}, 2), y({rows, 34});
    copy_into_columns(a, 0, y);
    copy_into_columns(b, 3, y);
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t j = 0; j < 3; ++j) ASSERT_EQ(y[row * 34 + j], a[row * 3 + j]);
      for (int64_t j = 0; j < 31; ++j) ASSERT_EQ(y[row * 34 + 3 + j], b[row * 31 + j]);
    }
  }
}

TEST(RowKernels, AddFromColumnsAddsItsColumnsOnly) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17, 31, 65}) {
      Numbers dy = random_numbers({5, 4, n + 7}, 1), dx = random_numbers({5, 4, n}, 2);
      std::vector<double> expected;
      for (int64_t i = 0; i < 20 * n; ++i)
        expected.push_back(dx[i] + dy[i / n * (n + 7) + 5 + i % n]);
      add_from_columns(dy, 5, dx);
      test::expect_near(dx, expected);
    }
  });
}

TEST(RowKernels, GatherPicksRows) {
  Numbers x = random_numbers({4, 17}, 1), y({5, 17});
  const std::vector<int32_t> rows = {3, 0, 0, 2, 3};
  gather_rows(x, view_of(rows), y);
  for (int64_t i = 0; i < 5 * 17; ++i)
    EXPECT_EQ(y[i], x[rows[static_cast<size_t>(i / 17)] * 17 + i % 17]);
}

TEST(RowKernels, GatherMultipliesByItsFactor) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17, 31, 65}) {
      Numbers x = random_numbers({4, n}, 1), y({3, n});
      const std::vector<int32_t> rows = {3, 0, 3};
      gather_rows(x, view_of(rows), y, Real(0.5));
      for (int64_t i = 0; i < 3 * n; ++i)
        EXPECT_EQ(y[i], Real(0.5) * x[rows[static_cast<size_t>(i / n)] * n + i % n]);
    }
  });
}

TEST(RowKernels, AddsRowsByTheirFactors) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17, 31, 65}) {
      Numbers x = random_numbers({3, n}, 1), y = random_numbers({3, n}, 2), factors({3});
      factors.data = {2, 0, Real(-0.5)};
      x.data[static_cast<size_t>(n)] = std::numeric_limits<Real>::infinity();  // of the second row
      std::vector<double> expected = y.wide();
      for (int64_t i = 0; i < 3 * n; ++i)
        if (i / n != 1)
          expected[static_cast<size_t>(i)] += static_cast<double>(factors[i / n] * x[i]);
      add_scaled_rows(factors, x, y);
      test::expect_near(y, expected);
    }
  });
}

TEST(RowKernels, ScatterAddsRepeatedRows) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17, 31, 65, 300}) {
      Numbers dy = random_numbers({5, n}, 1), dx = random_numbers({4, n}, 2);
      const std::vector<int32_t> rows = {3, 0, 0, 2, 3};
      std::vector<double> expected = dx.wide();
      for (int64_t i = 0; i < 5 * n; ++i)
        expected[static_cast<size_t>(rows[static_cast<size_t>(i / n)] * n + i % n)] += 1.5 * dy[i];
      scatter_add_rows(dy, view_of(rows), dx, Real(1.5));
      test::expect_near(dx, expected);
    }
  });
}

TEST(RowKernels, ScatterIsTheSameForAnyNumberOfThreads) {
  Numbers dy = random_numbers({1000, 300}, 1);
  std::vector<int32_t> rows;
  for (int32_t i = 0; i < 1000; ++i) rows.push_back(i * i % 7);
  test::expect_same_for_any_threads([&] {
    Numbers dx({7, 300});
    scatter_add_rows(dy, view_of(rows), dx);
    return dx.data;
  });
}

TEST(RowKernels, PickTakesAnElementOfEachRow) {
  for (const int64_t n : {1, 3, 17, 65}) {
    Numbers x = random_numbers({31, n}, 1), y({31}, 7);
    std::vector<int32_t> columns;
    for (int32_t row = 0; row < 31; ++row)
      columns.push_back(row % 5 == 2 ? -1 - row : row * 7 % static_cast<int32_t>(n));
    pick(x, view_of(columns), y);
    for (int64_t row = 0; row < 31; ++row) {
      const int32_t column = columns[static_cast<size_t>(row)];
      EXPECT_EQ(y[row], column < 0 ? 0 : x[row * n + column]);
    }
  }
}

TEST(RowKernels, DotRowsSumsInDoubleInTheOrderOfColumns) {
  for (const int64_t n : {0, 1, 3, 17, 65, 1000}) {
    Numbers a = random_numbers({37, n}, 1, 100), b = random_numbers({37, n}, 2), y({37}, 7);
    dot_rows(a, b, -0.3, y);
    for (int64_t row = 0; row < 37; ++row) {
      double total = 0;
      for (int64_t i = 0; i < n; ++i) total += a[row * n + i] * b[row * n + i];
      EXPECT_EQ(y.data[static_cast<size_t>(row)], static_cast<Real>(-0.3 * total));
    }
  }
}

TEST(RowKernels, RowsAndColumnsOutsideThrow) {
  Numbers x({4, 3}), y({2, 3}), wide({4, 5}), other({3, 5});
  const std::vector<int32_t> above = {0, 4}, below = {-1, 0}, one = {0};
  EXPECT_THROW(gather_rows(x, view_of(one), y), InternalError);
  EXPECT_THROW(scatter_add_rows(y, view_of(one), x), InternalError);
  for (const std::vector<int32_t>& outside : {above, below}) {
    if (!test::kChecksIds) continue;
    EXPECT_THROW(gather_rows(x, view_of(outside), y), InternalError);
    EXPECT_THROW(scatter_add_rows(y, view_of(outside), x), InternalError);
  }
  EXPECT_THROW(copy_into_columns(x, 3, wide), InternalError);
  EXPECT_THROW(copy_into_columns(x, -1, wide), InternalError);
  EXPECT_THROW(copy_into_columns(x, 0, other), InternalError);
  EXPECT_THROW(add_from_columns(wide, 3, x), InternalError);
  EXPECT_THROW(add_from_columns(other, 0, x), InternalError);
}

}  // namespace
}  // namespace heed::kernels
