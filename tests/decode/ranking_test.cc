#include "decode/ranking.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed {
namespace {

Ranking ranking(LengthPenalty form, double alpha, double reward = 0, double beta = 0) {
  return {form, alpha, reward, beta};
}

TEST(Ranking, DividesByThePenaltyOfWuEtAl) {
  EXPECT_DOUBLE_EQ(ranking(LengthPenalty::gnmt, 1).score(-3, 7, 0), -1.5);  // (5 + 7) / 6 = 2
  EXPECT_DOUBLE_EQ(ranking(LengthPenalty::gnmt, 0).score(-3, 7, 0), -3);
  EXPECT_DOUBLE_EQ(ranking(LengthPenalty::gnmt, 0.5).score(-4, 19, 0), -2);  // sqrt(24 / 6) = 2
}

TEST(Ranking, DividesByAPowerOfTheLength) {
  EXPECT_DOUBLE_EQ(ranking(LengthPenalty::power, 1).score(-3, 6, 0), -0.5);
  EXPECT_DOUBLE_EQ(ranking(LengthPenalty::power, 0.5).score(-3, 9, 0), -1);
}

TEST(Ranking, AddsRewardAndCoverage) {
  const Ranking all = ranking(LengthPenalty::power, 1, 0.25, 2);
  EXPECT_DOUBLE_EQ(all.score(-4, 4, -0.5), -1 + 1 - 1);
}

// sum of log min(1, column): columns sum to 0.5, 1.2 and 0; the last is </s>.
TEST(Coverage, SumsTheLogarithmOfWhatEachSourceTokenGot) {
  const std::vector<float> first = {0.25F, 0.5F, 0, 0.25F}, second = {0.25F, 0.7F, 0, 0.05F};
  const std::vector<std::span<const float>> rows = {first, second};
  EXPECT_NEAR(coverage(rows), std::log(0.5) + 0 + std::log(1e-6), 1e-6);
  EXPECT_EQ(coverage({}), 0);
}

TEST(Ranking, TheBoundIsTheBestThatAnyLengthCanGive) {
  for (const LengthPenalty form : {LengthPenalty::gnmt, LengthPenalty::power})
    for (const double alpha : {0.0, 0.6, 1.0, 3.0})
      for (const double reward : {-1.0, -0.01, 0.0, 0.5})
        for (const double log_probability : {-20.0, -3.0, -0.1}) {
          const Ranking r = ranking(form, alpha, reward, 1);
          double best = -INFINITY;
          for (int64_t length = 4; length <= 30; ++length)
            best = std::max(best, r.score(log_probability, length, 0));
          EXPECT_DOUBLE_EQ(r.bound(log_probability, 4, 30), best) << alpha << ", " << reward;
        }
}

}  // namespace
}  // namespace heed
