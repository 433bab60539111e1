#include "decode/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace heed {
namespace {

using Options = std::vector<TokenOption>;

// p = 0.1, 0.4, 0.2, 0.3 of the tokens 3 to 6.
Options four() {
  return {{3, std::log(0.1)}, {4, std::log(0.4)}, {5, std::log(0.2)}, {6, std::log(0.3)}};
}

// How often each token comes in 20,000 draws.
std::map<TokenId, double> shares(const Sampling& sampling) {
  constexpr int kDraws = 20000;
  Random random(3, 9);
  std::map<TokenId, double> found;
  for (int i = 0; i < kDraws; ++i) {
    Options options = four();
    found[draw_option(sampling, options, random).token] += 1.0 / kDraws;
  }
  return found;
}

// Four standard deviations of a share of 20,000 draws are at most 0.0142.
void expect_shares(const Sampling& sampling, const std::map<TokenId, double>& expected) {
  const auto found = shares(sampling);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [token, share] : expected) EXPECT_NEAR(found.at(token), share, 0.0142) << token;
}

TEST(Sampler, DrawsByProbability) { expect_shares({}, {{3, 0.1}, {4, 0.4}, {5, 0.2}, {6, 0.3}}); }

// Squares of the probabilities, 0.01, 0.16, 0.04, 0.09, over their sum 0.3.
TEST(Sampler, TemperatureIsAnExponent) {
  expect_shares({.temperature = 0.5},
                {{3, 0.01 / 0.3}, {4, 0.16 / 0.3}, {5, 0.04 / 0.3}, {6, 0.09 / 0.3}});
}

TEST(Sampler, TopKKeepsTheMostProbable) {
  expect_shares({.top_k = 2}, {{4, 0.4 / 0.7}, {6, 0.3 / 0.7}});
  expect_shares({.top_k = 1}, {{4, 1.0}});
  expect_shares({.top_k = 9}, {{3, 0.1}, {4, 0.4}, {5, 0.2}, {6, 0.3}});
}

// 0.4 + 0.3 is below 0.75, with 0.2 it is not.
TEST(Sampler, TopPKeepsTheFewestThatReachIt) {
  expect_shares({.top_p = 0.75}, {{4, 0.4 / 0.9}, {6, 0.3 / 0.9}, {5, 0.2 / 0.9}});
  expect_shares({.top_p = 0.3}, {{4, 1.0}});
  expect_shares({.top_k = 3, .top_p = 0.5}, {{4, 0.4 / 0.7}, {6, 0.3 / 0.7}});
}

TEST(Sampler, GivesTheLogProbabilityOfTheModel) {
  Random random(1);
  Options options = four();
  EXPECT_DOUBLE_EQ(draw_option({.temperature = 3, .top_k = 1}, options, random).log_probability,
                   std::log(0.4));
}

}  // namespace
}  // namespace heed
