// log-softmax, cross-entropy and the largest of each row against plain loops in double.
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "kernel_support.h"

namespace heed::kernels {
namespace {

using test::expect_near;
using test::Numbers;
using test::random_numbers;
using test::view_of;
using Row = std::vector<double>;

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

Row row_of(const Numbers& x, int64_t row) {
  const int64_t n = x.shape.last();
  Row result;
  for (int64_t i = 0; i < n; ++i) result.push_back(x[row * n + i]);
  return result;
}

double log_sum_exp(const Row& x) {
  const double max = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const double value : x) sum += std::exp(value - max);
  return max + std::log(sum);
}

struct Losses {
  explicit Losses(size_t rows) : loss(rows, 9), nll(rows, 9) {}
  operator RowLosses() { return {view_of(loss), view_of(nll)}; }
  Row loss, nll;
};

// The definition: -sum_v q_v log p_v with q = (1 - smoothing) onehot + smoothing / V.
double plain_loss(const Row& x, int32_t target, double smoothing) {
  const double total = log_sum_exp(x);
  double loss = 0;
  for (size_t v = 0; v < x.size(); ++v) {
    const double q = (static_cast<int32_t>(v) == target ? 1 - smoothing : 0) +
                     smoothing / static_cast<double>(x.size());
    loss -= q * (x[v] - total);
  }
  return loss;
}

TEST(SoftmaxKernels, LogSoftmaxSubtractsTheLogOfTheSum) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17, 31, 65, 2000}) {
      Numbers x = random_numbers({37, n}, 1, 20), y(x.shape);
      Row expected;
      for (int64_t row = 0; row < 37; ++row) {
        const Row in = row_of(x, row);
        const double total = log_sum_exp(in);
        for (const double value : in) expected.push_back(value - total);
      }
      log_softmax(x, y);
      expect_near(y, expected, 2 * test::kTolerance);
      log_softmax(x, x);
      EXPECT_EQ(x.data, y.data) << "in place";
    }
  });
}

TEST(SoftmaxKernels, LogSoftmaxKeepsMinusInfinity) {
  Numbers x({1, 3}), y({1, 3});
  x.data = {0, -kInfinity, 0};
  log_softmax(x, y);
  expect_near(Numbers({2}, Row{y[0], y[2]}), {-std::log(2.0), -std::log(2.0)});
  EXPECT_EQ(y[1], -std::numeric_limits<double>::infinity());
}

// Sentence b has b rows and lists of 0, 1, ... columns.
TEST(SoftmaxKernels, LogSoftmaxOfColumnsIsThatOfTheGatheredRow) {
  constexpr int64_t kSentences = 9, kRows = 36, kWidth = 67;
  test::for_each_instruction_set([] {
    for (const int64_t most : {1, 3, 17, 65}) {
      Numbers x = random_numbers({kRows, kWidth}, 1, 8), y({kRows, most}, 7);
      std::vector<int32_t> row_begin = {0}, lists;
      for (int32_t b = 0; b < kSentences; ++b) {
        row_begin.push_back(row_begin.back() + b);
        const int64_t count = std::min<int64_t>(most, b * most / 7);
        for (int32_t i = 0; i < most; ++i)
          lists.push_back(i < count ? (i * 11 + b) % static_cast<int32_t>(kWidth) : -1);
      }
      const Ids columns = view_of(std::as_const(lists)).reshaped({kSentences, most});
      log_softmax_of_columns(x, view_of(row_begin), columns, y);
      for (int64_t b = 0; b < kSentences; ++b)
        for (int64_t row = row_begin[static_cast<size_t>(b)];
             row < row_begin[static_cast<size_t>(b) + 1]; ++row) {
          Numbers alone({1, std::min<int64_t>(most, b * most / 7)});
          for (int64_t i = 0; i < alone.shape.last(); ++i)
            alone.data[static_cast<size_t>(i)] =
                static_cast<Real>(x[row * kWidth + columns.data[b * most + i]]);
          log_softmax(alone, alone);
          for (int64_t i = 0; i < most; ++i)
            ASSERT_EQ(y[row * most + i],
                      i < alone.shape.last() ? alone[i] : -std::numeric_limits<double>::infinity());
        }
    }
  });
}

TEST(SoftmaxKernels, SumLossesIsTheMeanAndTheSumInTheOrderOfRows) {
  for (const size_t rows : {1u, 3u, 17u, 1000u}) {
    Random random(rows);
    Losses losses(rows);
    double smoothed = 0, nll = 0;
    for (size_t i = 0; i < rows; ++i) {
      smoothed += losses.loss[i] = random.uniform();
      nll += losses.nll[i] = random.uniform();
    }
    Numbers mean(Shape{});
    Row totals(2);
    sum_losses(losses, mean, view_of(totals));
    EXPECT_EQ(mean.data[0], static_cast<Real>(smoothed / static_cast<double>(rows)));
    EXPECT_EQ(totals, (Row{mean[0], nll}));
  }
}

TEST(SoftmaxKernels, CrossEntropyIsTheDefinitionWithItsGradient) {
  constexpr double kScale = 0.3;
  test::for_each_instruction_set([&] {
    for (const int64_t n : {1, 3, 17, 31, 65, 2500}) {
      for (const double smoothing : {0.0, 0.1}) {
        Numbers x = random_numbers({29, n}, 1, 4);
        const Numbers before = x;
        std::vector<int32_t> targets;
        for (int32_t row = 0; row < 29; ++row)
          targets.push_back(row % 5 == 2 ? -1 : row * 7 % static_cast<int32_t>(n));
        Losses losses(29), forward(29);
        cross_entropy(x, view_of(targets), static_cast<Real>(smoothing), forward);
        EXPECT_EQ(x.data, before.data) << "without a gradient the logits stay as they are";
        cross_entropy_in_place(x, view_of(targets), static_cast<Real>(smoothing), Real(kScale),
                               losses);
        for (int64_t row = 0; row < 29; ++row) {
          const Row in = row_of(before, row);
          const int32_t target = targets[static_cast<size_t>(row)];
          const double total = log_sum_exp(in);
          Row expected(in.size());
          double loss = 0, nll = 0;
          if (target >= 0) {
            loss = plain_loss(in, target, smoothing);
            nll = plain_loss(in, target, 0);
            for (size_t v = 0; v < in.size(); ++v)
              expected[v] = kScale * (std::exp(in[v] - total) - smoothing / static_cast<double>(n) -
                                      (static_cast<int32_t>(v) == target ? 1 - smoothing : 0));
          }
          expect_near(Numbers({n}, row_of(x, row)), expected);
          const double tolerance = 5 * test::kTolerance * (1 + loss);
          EXPECT_NEAR(losses.loss[static_cast<size_t>(row)], loss, tolerance);
          EXPECT_NEAR(losses.nll[static_cast<size_t>(row)], nll, tolerance);
        }
        EXPECT_EQ(losses.loss, forward.loss);
        EXPECT_EQ(losses.nll, forward.nll);
      }
    }
  });
}

TEST(SoftmaxKernels, CrossEntropyGradientIsTheDifferenceQuotient) {
  Numbers x = random_numbers({1, 17}, 3, 2);
  constexpr int32_t kTarget = 4;
  const auto plain = [&](const Row& in) { return Row{plain_loss(in, kTarget, 0.2)}; };
  const Row expected = test::differences(plain, x.wide(), {1.5});
  Losses losses(1);
  cross_entropy_in_place(x, view_of(std::vector{kTarget}), Real(0.2), Real(1.5), losses);
  expect_near(x, expected, test::kGradientTolerance);
}

TEST(SoftmaxKernels, LossIsNotFiniteIfALogitIsNot) {
  test::for_each_instruction_set([] {
    for (const Real bad : {kNan, kInfinity}) {
      for (const size_t where : {0u, 20u, 32u}) {
        Numbers x = random_numbers({1, 33}, 3);
        x.data[where] = bad;
        Losses losses(1);
        cross_entropy_in_place(x, view_of(std::vector{5}), Real(0.1), 1, losses);
        EXPECT_FALSE(std::isfinite(losses.loss[0]));
        EXPECT_FALSE(std::isfinite(losses.nll[0]));
      }
    }
  });
}

TEST(SoftmaxKernels, HugeLogitsDoNotOverflow) {
  Numbers x({1, 3}, Row{1e4, -1e4, 0});
  Losses losses(1);
  cross_entropy_in_place(x, view_of(std::vector{0}), 0, 1, losses);
  EXPECT_EQ(losses.loss[0], 0);
  EXPECT_EQ(losses.nll[0], 0);
  for (const Real value : x.data) EXPECT_EQ(value, 0);
}

TEST(SoftmaxKernels, AreTheSameForAnyNumberOfThreads) {
  Numbers x = random_numbers({37, 3001}, 3, 3);
  const std::vector<int32_t> targets(37, 11);
  test::expect_same_for_any_threads([&] {
    Numbers gradient = x, y(x.shape);
    log_softmax(x, y);
    Losses losses(37);
    cross_entropy_in_place(gradient, view_of(targets), Real(0.1), 1, losses);
    return std::vector{gradient.wide(), y.wide(), losses.loss, losses.nll};
  });
}

TEST(SoftmaxKernels, WrongShapesAndTargetsThrow) {
  Numbers x({2, 3}), y({3, 2});
  const std::vector<int32_t> one = {0}, outside = {0, 3};
  Losses losses(2);
  EXPECT_THROW(log_softmax(x, y), InternalError);
  EXPECT_THROW(cross_entropy(x, view_of(one), 0, losses), InternalError);
  EXPECT_THROW(cross_entropy_in_place(x, view_of(one), 0, 1, losses), InternalError);
  if (!test::kChecksIds) return;
  EXPECT_THROW(cross_entropy(x, view_of(outside), 0, losses), InternalError);
  EXPECT_THROW(cross_entropy_in_place(x, view_of(outside), 0, 1, losses), InternalError);
}

TEST(SoftmaxKernels, EmptyTensorsAreAllowed) {
  Numbers none({0, 5});
  EXPECT_NO_THROW(log_softmax(none, none));
  Losses losses(0);
  std::vector<int32_t> no_ids;
  EXPECT_NO_THROW(cross_entropy(none, view_of(no_ids), 0, losses));
  EXPECT_NO_THROW(cross_entropy_in_place(none, view_of(no_ids), 0, 1, losses));
  EXPECT_NO_THROW(top_k(none, 2, Numbers({0, 2}), view_of(no_ids)));
}

// Indices of the k largest by a stable sort.
std::vector<int32_t> plain_top_k(const Row& x, int64_t k) {
  std::vector<int32_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return x[static_cast<size_t>(a)] > x[static_cast<size_t>(b)];
  });
  order.resize(static_cast<size_t>(k));
  return order;
}

TEST(TopKKernels, GivesTheLargestFirstAndTiesToTheSmallerIndex) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17, 31, 65, 3000}) {
      for (const int64_t k : {0, 1, 3, 17}) {
        if (k > n) continue;
        Numbers x = random_numbers({19, n}, 1, 8);
        for (Real& value : x.data) value = std::floor(value);  // many ties
        Numbers values({19, k});
        std::vector<int32_t> indices(static_cast<size_t>(19 * k)), expected;
        top_k(x, k, values, view_of(indices));
        for (int64_t row = 0; row < 19; ++row)
          for (const int32_t index : plain_top_k(row_of(x, row), k)) {
            EXPECT_EQ(values[static_cast<int64_t>(expected.size())], x[row * n + index]);
            expected.push_back(index);
          }
        ASSERT_EQ(indices, expected) << n << " " << k;
      }
    }
  });
}

TEST(TopKKernels, RisingRowsAreFoundToo) {
  Numbers x({1, 333}), values({1, 2});
  std::iota(x.data.begin(), x.data.end(), Real(0));
  std::vector<int32_t> indices(2);
  top_k(x, 2, values, view_of(indices));
  EXPECT_EQ(indices, (std::vector<int32_t>{332, 331}));
}

TEST(TopKKernels, NanAndMinusInfinityComeLast) {
  test::for_each_instruction_set([] {
    Numbers x({1, 40}, -kInfinity), values({1, 4});
    x.data[0] = x.data[1] = x.data[2] = x.data[20] = kNan;
    x.data[30] = 1;
    std::vector<int32_t> indices(4);
    top_k(x, 4, values, view_of(indices));
    EXPECT_EQ(indices, (std::vector<int32_t>{30, 3, 4, 5}));
  });
}

TEST(TopKKernels, WrongSizesThrow) {
  Numbers x({2, 3}), values({2, 4}), two({2, 2});
  std::vector<int32_t> indices(6);
  EXPECT_THROW(top_k(x, 4, values, view_of(indices)), InternalError);
  EXPECT_THROW(top_k(x, -1, values, view_of(indices)), InternalError);
  EXPECT_THROW(top_k(x, 3, two, view_of(indices)), InternalError);
}

}  // namespace
}  // namespace heed::kernels
