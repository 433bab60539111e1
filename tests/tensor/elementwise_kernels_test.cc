// Elementwise kernels and sums against plain loops.
#include <limits>

#include "kernel_support.h"

namespace heed::kernels {
namespace {

using test::expect_near;
using test::kSizes;
using test::Numbers;
using test::random_numbers;

// y after f(a, b, y) must be plain(a_i, b_i, y_i), for every size and instruction set.
template <typename F, typename Plain>
void expect_elementwise(const F& f, const Plain& plain) {
  test::for_each_instruction_set([&] {
    for (const int64_t n : kSizes) {
      SCOPED_TRACE(n);
      Numbers a = random_numbers({n}, 1), b = random_numbers({n}, 2), y = random_numbers({n}, 3);
      std::vector<double> expected;
      for (int64_t i = 0; i < n; ++i) expected.push_back(plain(a[i], b[i], y[i]));
      f(a, b, y);
      expect_near(y, expected);
    }
  });
}

TEST(ElementwiseKernels, FillSetsEveryElement) {
  expect_elementwise([](Tensor, Tensor, Tensor y) { fill(y, Real(0.25)); },
                     [](double, double, double) { return 0.25; });
}

// So large that stores are streaming, which need aligned addresses; also from another address on.
TEST(ElementwiseKernels, FillSetsEveryElementOfALargeTensor) {
  constexpr int64_t kSize = (int64_t{1} << 21) + 37;
  Numbers y({kSize + 1});
  for (const int64_t start : {0, 1}) {
    fill(Tensor{y.data.data() + start, {kSize}, Device::cpu}, Real(start + 2));
    for (int64_t i = start; i < start + kSize; ++i) ASSERT_EQ(y[i], Real(start + 2)) << i;
  }
  EXPECT_EQ(y[0], 2);
}

TEST(ElementwiseKernels, CopyCopiesEveryElement) {
  expect_elementwise([](Tensor a, Tensor, Tensor y) { copy(a, y); },
                     [](double a, double, double) { return a; });
}

TEST(ElementwiseKernels, AddAccumulates) {
  expect_elementwise([](Tensor a, Tensor, Tensor y) { add(a, y); },
                     [](double a, double, double y) { return y + a; });
}

TEST(ElementwiseKernels, AddScaledAccumulates) {
  expect_elementwise([](Tensor a, Tensor, Tensor y) { add_scaled(Real(-1.5), a, y); },
                     [](double a, double, double y) { return y - 1.5 * a; });
}

TEST(ElementwiseKernels, MoveTowardsMovesByAShareOfTheDifference) {
  expect_elementwise([](Tensor a, Tensor, Tensor y) { move_towards(Real(0.25), a, y); },
                     [](double a, double, double y) { return 0.75 * y + 0.25 * a; });
}

TEST(ElementwiseKernels, SwapExchangesElements) {
  expect_elementwise([](Tensor a, Tensor, Tensor y) { swap(a, y); },
                     [](double a, double, double) { return a; });
  expect_elementwise(
      [](Tensor a, Tensor, Tensor y) {
        swap(a, y);
        copy(a, y);
      },
      [](double, double, double y) { return y; });
}

TEST(ElementwiseKernels, MultiplyOverwrites) {
  expect_elementwise([](Tensor a, Tensor b, Tensor y) { multiply(a, b, y); },
                     [](double a, double b, double) { return a * b; });
}

TEST(ElementwiseKernels, MultiplyAddAccumulates) {
  expect_elementwise([](Tensor a, Tensor b, Tensor y) { multiply_add(a, b, y); },
                     [](double a, double b, double y) { return y + a * b; });
}

TEST(ElementwiseKernels, AddBiasGoesIntoEveryRow) {
  for (const int64_t n : {1, 3, 17, 65}) {
    Numbers bias = random_numbers({n}, 1), y = random_numbers({31, 2, n}, 2);
    std::vector<double> expected;
    for (int64_t i = 0; i < 62 * n; ++i) expected.push_back(y[i] + bias[i % n]);
    add_bias(bias, y);
    expect_near(y, expected);
  }
}

TEST(ElementwiseKernels, WrongSizesThrow) {
  Numbers a({3}), b({4});
  EXPECT_THROW(copy(a, b), InternalError);
  EXPECT_THROW(add(a, b), InternalError);
  EXPECT_THROW(add_scaled(1, a, b), InternalError);
  EXPECT_THROW(multiply(a, b, a), InternalError);
  EXPECT_THROW(multiply(a, a, b), InternalError);
  EXPECT_THROW(multiply_add(a, b, a), InternalError);
  EXPECT_THROW(add_bias(a, b), InternalError);
  EXPECT_THROW(sum_rows(a, b), InternalError);
}

double squares_of(Numbers& x) {
  std::vector<double> total(1, 7);
  sum_of_squares(x, test::view_of(total));
  return total[0];
}

TEST(SumKernels, SumsAreMadeInDouble) {
  test::for_each_instruction_set([] {
    for (const int64_t n : kSizes) {
      SCOPED_TRACE(n);
      Numbers x = random_numbers({n}, 5);
      double squares = 0;
      for (int64_t i = 0; i < n; ++i) squares += x[i] * x[i];
      EXPECT_NEAR(squares_of(x), squares, 1e-11 * (1 + squares));
    }
  });
}

TEST(SumKernels, InfinityAndNanPassThrough) {
  for (const int64_t at : {0, 16, 16384 + 64}) {
    Numbers x = random_numbers({16384 + 65}, 6);
    x.data[static_cast<size_t>(at)] = std::numeric_limits<Real>::infinity();
    EXPECT_EQ(squares_of(x), std::numeric_limits<double>::infinity());
    x.data[static_cast<size_t>(at)] = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_TRUE(std::isnan(squares_of(x)));
  }
}

TEST(SumKernels, SumRowsAddsColumnSums) {
  test::for_each_instruction_set([] {
    for (const int64_t rows : {0, 1, 3, 65}) {
      for (const int64_t n : {1, 3, 17, 31, 65, 300}) {
        Numbers dy = random_numbers({rows, n}, 7), dbias = random_numbers({n}, 8);
        std::vector<double> expected = dbias.wide();
        for (int64_t i = 0; i < rows * n; ++i) expected[static_cast<size_t>(i % n)] += dy[i];
        sum_rows(dy, dbias);
        expect_near(dbias, expected, 10 * test::kTolerance);
      }
    }
  });
}

TEST(SumKernels, AreTheSameForAnyNumberOfThreads) {
  Numbers x = random_numbers({331, 301}, 9);
  test::expect_same_for_any_threads([&] {
    Numbers columns({301});
    sum_rows(x, columns);
    std::vector<double> result = columns.wide();
    result.push_back(squares_of(x));
    return result;
  });
}

}  // namespace
}  // namespace heed::kernels
