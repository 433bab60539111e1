// Products in fewer bits: the operands against hand calculations, the products against plain loops
// over rounded operands.
#include "tensor/kernels/cpu/gemm/low_precision.h"

#include <cmath>
#include <limits>

#include "kernel_support.h"

namespace heed::kernels {
namespace {

using cpu::round_to_bf16;
using cpu::transpose_to_bf16;
using test::kSizes;
using test::Numbers;
using test::random_numbers;

double from_bf16(uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits) << 16));
}

TEST(RoundToBf16, GoesToTheNearestAndTiesToEven) {
  constexpr Real kStep = Real(1) / 128;  // between bf16 numbers from 1 to 2
  const std::vector<std::pair<Real, double>> cases = {
      {1, 1},
      {-2.5, -2.5},
      {1 + kStep / 4, 1},
      {1 + 3 * kStep / 4, 1 + 1.0 / 128},
      {1 + kStep / 2, 1},                      // tie: the even one is below
      {1 + kStep + kStep / 2, 1 + 2.0 / 128},  // tie: the even one is above
      {0, 0},
      {std::numeric_limits<Real>::infinity(), std::numeric_limits<double>::infinity()},
  };
  test::for_each_instruction_set([&] {
    for (const auto& [x, expected] : cases) {
      const std::vector<Real> row(37, x);  // full vectors and a tail
      std::vector<uint16_t> y(row.size());
      round_to_bf16(row.data(), y.data(), 37);
      for (const uint16_t bits : y) EXPECT_EQ(from_bf16(bits), expected) << x;
    }
  });
}

TEST(RoundToBf16, KeepsNan) {
  const std::vector<Real> row(37, std::numeric_limits<Real>::quiet_NaN());
  std::vector<uint16_t> y(row.size());
  round_to_bf16(row.data(), y.data(), 37);
  for (const uint16_t bits : y) EXPECT_TRUE(std::isnan(from_bf16(bits)));
}

TEST(Quantise, TheLargestBecomes127) {
  test::for_each_instruction_set([] {
    for (const int64_t n : kSizes) {
      Numbers x = random_numbers({n}, 3);
      std::vector<int8_t> y(static_cast<size_t>(n));
      const Tensor row = x;
      const double scale = static_cast<double>(cpu::quantise(row.data, y.data(), n));
      double largest = 0;
      for (int64_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(x[i]));
      EXPECT_NEAR(scale, largest / 127, 1e-6 * largest);
      for (int64_t i = 0; i < n; ++i)
        EXPECT_NEAR(y[static_cast<size_t>(i)] * scale, x[i], 0.5001 * scale) << n;
    }
  });
}

TEST(Quantise, ARowOfZerosHasScaleZero) {
  const std::vector<Real> x(20, Real(0));
  std::vector<int8_t> y(20, 5);
  EXPECT_EQ(cpu::quantise(x.data(), y.data(), 20), Real(0));
  EXPECT_EQ(y, std::vector<int8_t>(20, 0));
}

TEST(Quantise, HasAScalePerColumnIfAskedFor) {
  for (const auto& [rows, columns] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {3, 17}, {65, 31}, {5, 64}}) {
    Numbers x = random_numbers({rows, columns}, 5), back({rows, columns}), scales({columns});
    std::vector<int8_t> integers(static_cast<size_t>(rows * columns));
    const View<int8_t> matrix = test::view_of(integers).reshaped({rows, columns});
    quantise(x, ScalesPer::column, matrix, scales);
    dequantise(matrix, scales, ScalesPer::column, back);
    for (int64_t j = 0; j < columns; ++j) {
      double largest = 0;
      for (int64_t i = 0; i < rows; ++i) largest = std::max(largest, std::abs(x[i * columns + j]));
      EXPECT_NEAR(scales[j], largest / 127, 1e-6);
    }
    for (int64_t i = 0; i < rows * columns; ++i)
      EXPECT_NEAR(back[i], x[i], 0.501 * scales[i % columns]);
  }
}

// The operand as the product sees it.
std::vector<double> rounded(Precision precision, const std::vector<double>& x) {
  std::vector<Real> row(x.begin(), x.end());
  const auto n = static_cast<int64_t>(x.size());
  std::vector<double> result(x.size());
  if (precision == Precision::bf16) {
    std::vector<uint16_t> bits(x.size());
    round_to_bf16(row.data(), bits.data(), n);
    for (size_t i = 0; i < x.size(); ++i) result[i] = from_bf16(bits[i]);
  } else {
    std::vector<int8_t> integers(x.size());
    const Real scale = cpu::quantise(row.data(), integers.data(), n);
    for (size_t i = 0; i < x.size(); ++i) result[i] = integers[i] * static_cast<double>(scale);
  }
  return result;
}

void check_product(Precision precision, int64_t m, int64_t k, int64_t n, bool transposed) {
  Numbers a = random_numbers({m, k}, 1),
          b = random_numbers(transposed ? Shape{n, k} : Shape{k, n}, 2),
          c = random_numbers({m, n}, 3);
  std::vector<std::vector<double>> rows, columns;
  for (int64_t i = 0; i < m; ++i) {
    std::vector<double> row;
    for (int64_t p = 0; p < k; ++p) row.push_back(a[i * k + p]);
    rows.push_back(rounded(precision, row));
  }
  for (int64_t j = 0; j < n; ++j) {
    std::vector<double> column;
    for (int64_t p = 0; p < k; ++p) column.push_back(transposed ? b[j * k + p] : b[p * n + j]);
    columns.push_back(rounded(precision, column));
  }
  std::vector<double> expected = c.wide();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t p = 0; p < k; ++p)
        expected[static_cast<size_t>(i * n + j)] +=
            rows[static_cast<size_t>(i)][static_cast<size_t>(p)] *
            columns[static_cast<size_t>(j)][static_cast<size_t>(p)];
  PackedMatrix packed;
  packed.pack(b, transposed, precision);
  gemm_packed(a, packed, c, true);
  for (int64_t i = 0; i < m * n; ++i)
    ASSERT_NEAR(c[i], expected[static_cast<size_t>(i)], 2e-5 * static_cast<double>(k))
        << m << "x" << k << "x" << n << " at " << i;
}

TEST(NarrowProducts, AreThoseOfTheNarrowedOperands) {
  for (const Precision precision : {Precision::bf16, Precision::int8}) {
    if (!has_precision(precision)) continue;
    // Without VNNI the library cuts large sums of integers short; choose_precision() says so.
    if (precision == Precision::int8 && !is_native(precision)) continue;
    for (const auto& [m, k, n] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
             {1, 1, 1}, {3, 17, 31}, {65, 3, 129}, {9, 512, 300}, {70, 65, 17}})
      for (const bool transposed : {false, true}) check_product(precision, m, k, n, transposed);
  }
}

TEST(TransposeToBf16, PutsColumnsIntoRowsAndZerosAfterThem) {
  test::for_each_instruction_set([] {
    for (const auto& [rows, columns, depth] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
             {8, 8, 8}, {3, 5, 8}, {17, 70, 64}, {64, 31, 64}}) {
      const int64_t stride = columns + 3;
      Numbers x = random_numbers({rows, stride}, 4);
      std::vector<uint16_t> y(static_cast<size_t>(columns * depth), 1);
      const Tensor from = x;
      transpose_to_bf16(from.data, rows, stride, columns, depth, y.data());
      for (int64_t j = 0; j < columns; ++j)
        for (int64_t i = 0; i < depth; ++i) {
          const double found = from_bf16(y[static_cast<size_t>(j * depth + i)]);
          if (i >= rows) {
            ASSERT_EQ(found, 0);
          } else {
            ASSERT_NEAR(found, x[i * stride + j], std::abs(x[i * stride + j]) / 256);
          }
        }
    }
  });
}

TEST(NarrowProducts, OfATransposeAreThoseOfTheNarrowedOperands) {
  if (!has_precision(Precision::bf16)) GTEST_SKIP() << "this build has no bf16";
  for (const auto& [r, m, n] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
           {1, 1, 1}, {3, 17, 31}, {65, 129, 3}, {1100, 65, 40}}) {
    Numbers a = random_numbers({r, m}, 1), b = random_numbers({r, n}, 2),
            c = random_numbers({m, n}, 3);
    const std::vector<double> narrow_a = rounded(Precision::bf16, a.wide()),
                              narrow_b = rounded(Precision::bf16, b.wide());
    std::vector<double> expected = c.wide();
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t p = 0; p < r; ++p)
          expected[static_cast<size_t>(i * n + j)] +=
              narrow_a[static_cast<size_t>(p * m + i)] * narrow_b[static_cast<size_t>(p * n + j)];
    gemm({a, true}, {b}, c, true, Precision::bf16);
    for (int64_t i = 0; i < m * n; ++i)
      ASSERT_NEAR(c[i], expected[static_cast<size_t>(i)], 1e-6 * static_cast<double>(r + 10))
          << r << ", " << m << "x" << n << " at " << i;
  }
}

TEST(NarrowProducts, PutTheBiasInEveryRow) {
  for (const Precision precision : {Precision::bf16, Precision::int8}) {
    if (!has_precision(precision)) continue;
    Numbers a = random_numbers({70, 40}, 1), b = random_numbers({40, 300}, 2), bias({300});
    for (int64_t j = 0; j < 300; ++j) bias.data[static_cast<size_t>(j)] = static_cast<Real>(j);
    PackedMatrix packed;
    packed.pack(b, false, precision);
    Numbers plain({70, 300}), with_bias({70, 300});
    gemm_packed(a, packed, plain, false);
    gemm_packed(a, packed, bias, with_bias);
    for (size_t i = 0; i < plain.data.size(); ++i)
      EXPECT_NEAR(with_bias.data[i], plain.data[i] + static_cast<Real>(i % 300), 1e-4) << i;
  }
}

TEST(NarrowProducts, AreTheSameForAnyNumberOfThreads) {
  for (const Precision precision : {Precision::bf16, Precision::int8}) {
    if (!has_precision(precision)) continue;
    Numbers a = random_numbers({150, 130}, 1), b = random_numbers({130, 700}, 2);
    test::expect_same_for_any_threads([&] {
      Numbers c({130, 700}), left = random_numbers({150, 130}, 1);
      Numbers right = random_numbers({150, 700}, 2);
      gemm({left, true}, {right}, c, false, precision);
      return c.data;
    });
    test::expect_same_for_any_threads([&] {
      PackedMatrix packed;
      packed.pack(b, false, precision);
      Numbers c({150, 700});
      gemm_packed(a, packed, c, false);
      return c.data;
    });
  }
}

}  // namespace
}  // namespace heed::kernels
