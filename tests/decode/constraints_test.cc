#include "decode/constraints.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

using Tokens = std::vector<TokenId>;

ConstraintOptions lengths(double ratio, int64_t extra) {
  ConstraintOptions options;
  options.max_length_ratio = ratio;
  options.max_length_extra = extra;
  return options;
}

TEST(Constraints, TheMostTokensAreRatioTimesTheSourcePlusTheExtra) {
  EXPECT_EQ(Constraints(lengths(1.5, 10), 7).most(), 20);
  EXPECT_EQ(Constraints(lengths(1e300, 10), 7).most(), 1'000'000'010);
  ConstraintOptions capped = lengths(1.5, 10);
  capped.max_length = 12;
  EXPECT_EQ(Constraints(capped, 7).most(), 12);
  EXPECT_EQ(Constraints(capped, 0).most(), 10);
}

TEST(Constraints, TheLeastTokensNeverExceedTheMost) {
  ConstraintOptions options = lengths(1, 2);
  options.min_length = 3;
  options.min_length_ratio = 0.5;
  EXPECT_EQ(Constraints(options, 4).least(), 3);
  EXPECT_EQ(Constraints(options, 9).least(), 4);
  options.min_length = 100;
  EXPECT_EQ(Constraints(options, 4).least(), 6);
}

TEST(Constraints, APrefixComesFirstAndEndComesLast) {
  const Constraints constraints(lengths(0, 3), 5, Tokens{7, 8});
  EXPECT_EQ(constraints.only(0), 7);
  EXPECT_EQ(constraints.only(1), 8);
  EXPECT_EQ(constraints.only(2), std::nullopt);
  EXPECT_EQ(constraints.only(3), kEnd);
  EXPECT_EQ(Constraints(lengths(0, 1), 5, Tokens{7, 8}).most(), 2) << "a prefix may be longer";
}

Tokens excluded(const ConstraintOptions& options, const Tokens& tokens) {
  const Constraints constraints(options, 10);
  Tokens out;
  constraints.exclude(std::ssize(tokens), out);
  constraints.exclude_repeated(tokens, out);
  return out;
}

TEST(Constraints, ControlTokensAreExcluded) {
  ConstraintOptions options;
  EXPECT_EQ(excluded(options, {}), (Tokens{kUnknown, kStart}));
  options.unknown = true;
  EXPECT_EQ(excluded(options, {}), Tokens{kStart});
  options.min_length = 2;
  EXPECT_EQ(excluded(options, {5}), (Tokens{kStart, kEnd}));
  EXPECT_EQ(excluded(options, {5, 5}), Tokens{kStart});
}

TEST(Constraints, WhatWouldEndAnNgramThatHasBeenThereIsExcluded) {
  ConstraintOptions options;
  options.unknown = true;
  options.block_ngram = 1;
  EXPECT_EQ(excluded(options, {5, 4, 5}), (Tokens{kStart, 4, 5}));
  options.block_ngram = 2;
  EXPECT_EQ(excluded(options, {5, 4, 5}), (Tokens{kStart, 4}));
  EXPECT_EQ(excluded(options, {5, 5}), (Tokens{kStart, 5}));
  EXPECT_EQ(excluded(options, {5}), Tokens{kStart});
  options.block_ngram = 3;
  EXPECT_EQ(excluded(options, {3, 4, 5, 3, 4, 6, 3, 4}), (Tokens{kStart, 5, 6}));
  EXPECT_EQ(excluded(options, {3, 4, 5, 4, 3}), Tokens{kStart});
}

}  // namespace
}  // namespace heed
