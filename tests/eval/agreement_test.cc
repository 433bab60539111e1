#include "eval/agreement.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed {
namespace {

using Values = std::vector<double>;

std::optional<double> tau(const Values& x, const Values& y) { return kendall_tau_b(x, y); }

TEST(KendallTauB, IsOneForTheSameOrderAndMinusOneForTheOpposite) {
  EXPECT_EQ(tau({1, 2, 5, 9}, {0.1, 0.2, 0.3, 0.4}), 1.0);
  EXPECT_EQ(tau({1, 2, 5, 9}, {4, 3, 2, 1}), -1.0);
}

// By hand: 2 pairs in the same order, 6 in the opposite order, 1 tied in x only, none in y only, 1
// in both: -4 / sqrt(8 * 9). The documentation of scipy.stats.kendalltau (1.11) has this example,
// with the result -0.47140452079103173.
TEST(KendallTauB, AllowsForTies) {
  EXPECT_NEAR(*tau({12, 2, 1, 12, 2}, {1, 4, 7, 1, 0}), -0.47140452079103173, 1e-15);
}

// By hand: pairs (1,2), (1,3), (1,4) and (2,4) are in the same order, (3,4) is tied in y, (2,3) is
// tied in x. P = 4, Q = 0, X = 1, Y = 1: 4 / 5.
TEST(KendallTauB, CountsTiesOfEachSideByItself) {
  EXPECT_NEAR(*tau({1, 2, 2, 3}, {1, 2, 3, 3}), 0.8, 1e-15);
}

TEST(KendallTauB, IsUndefinedIfOneSideIsTied) {
  EXPECT_EQ(tau({1, 1, 1}, {1, 2, 3}), std::nullopt);
  EXPECT_EQ(tau({1, 2, 3}, {0, 0, 0}), std::nullopt);
  EXPECT_EQ(tau({1}, {2}), std::nullopt);
  EXPECT_EQ(tau({}, {}), std::nullopt);
}

TEST(Agreement, IsTheMeanOverRowsThenOverSentences) {
  Agreement agreement(2, std::nullopt);
  using Matrices = std::vector<Agreement::Matrix>;
  // The last column is not used and signs are ignored. Correlations of the three rows:
  // 1, -1, undefined.
  agreement.add(Matrices{{{1, -2, 9}, {1, 2, 9}, {1, 1, 9}}, {{3, 4, 0}, {-4, 3, 0}, {1, 2, 0}}},
                2);
  agreement.add(Matrices{{{1, 2, 9}}, {{3, 4, 0}}}, 2);
  agreement.add(Matrices{{{1, 9}}, {{3, 0}}}, 1);  // one column: nothing to compare
  ASSERT_EQ(agreement.correlations().size(), 1U);
  const Agreement::Correlation& c = agreement.correlations()[0];
  EXPECT_EQ(c.rows, 3);
  EXPECT_EQ(c.sentences, 2);
  EXPECT_NEAR(*c.mean(), (0.0 + 1.0) / 2, 1e-15);
  EXPECT_TRUE(agreement.same_tops().empty());
}

TEST(Agreement, CountsWhereTheLargestIsThatOfTheReference) {
  Agreement agreement(3, 2);
  const Agreement::Matrix first = {{0.7, 0.2, 0.9}, {0.1, 0.8, 0.1}},
                          second = {{1, 2, 3}, {2, 1, 3}}, reference = {{-5, 2, 0}, {0, 1, 7}};
  agreement.add(std::vector<Agreement::Matrix>{first, second, reference}, 2);
  ASSERT_EQ(agreement.same_tops().size(), 2U);
  EXPECT_EQ(agreement.same_tops()[0].method, 0U);
  EXPECT_EQ(agreement.same_tops()[0].same, 2);
  EXPECT_EQ(agreement.same_tops()[1].same, 0);
  EXPECT_EQ(agreement.same_tops()[1].rows, 2);
  EXPECT_EQ(agreement.correlations().size(), 3U);
}

TEST(Agreement, OfNothingHasNoFigures) {
  const Agreement agreement(2, 1);
  EXPECT_EQ(agreement.correlations()[0].mean(), std::nullopt);
  EXPECT_EQ(agreement.same_tops()[0].share(), std::nullopt);
}

}  // namespace
}  // namespace heed
