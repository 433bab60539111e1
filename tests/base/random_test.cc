#include "base/random.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"

namespace heed {
namespace {

using Words = std::array<uint32_t, 4>;

// The known answers of philox4x32 with 10 rounds in the Random123 distribution
// (tests/kat_vectors, version 1.14).
TEST(Philox, GivesTheKnownAnswersOfRandom123) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t kAll = 0xffffffff;
  EXPECT_EQ(philox4x32({kAll, kAll, kAll, kAll}, {kAll, kAll}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, DrawsTheWordsOfPhiloxInOrder) {
  Random random(0, 0);
  EXPECT_EQ(random.next(), 0x6627e8d5U);
  EXPECT_EQ(random.next(), 0xe169c58dU);
  EXPECT_EQ(random.next(), 0xbc57ac4cU);
  EXPECT_EQ(random.next(), 0x9b00dbd8U);
  EXPECT_EQ(random.next(), philox4x32({1, 0, 0, 0}, {0, 0})[0]);
}

TEST(Random, StreamsAndSeedsDiffer) {
  std::set<uint32_t> first_words;
  for (uint64_t seed = 0; seed < 10; ++seed)
    for (uint64_t stream = 0; stream < 10; ++stream)
      first_words.insert(Random(seed, stream).next());
  EXPECT_EQ(first_words.size(), 100U);
}

TEST(Random, ACopyGoesOnAsTheOriginal) {
  Random random(7, 3);
  for (int i = 0; i < 5; ++i) random.next();
  Random copy = random;
  for (int i = 0; i < 9; ++i) EXPECT_EQ(copy.next(), random.next());
}

TEST(Random, UniformHasTheMomentsOfAUniformVariable) {
  Random random(1);
  constexpr int kDraws = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.004);  // 4 standard errors
  EXPECT_NEAR(squares / kDraws, 1.0 / 3, 0.004);
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random(2);
  constexpr int kDraws = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.013);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.018);
}

TEST(Random, BelowIsEvenAndInRange) {
  Random random(3);
  std::array<int, 6> counts{};
  constexpr int kDraws = 60000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(random.below(6));
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 6, 370);  // 4 standard deviations
  EXPECT_EQ(random.below(1), 0U);
  EXPECT_THROW(random.below(0), InternalError);
}

TEST(Random, ShuffleKeepsEveryItem) {
  EXPECT_TRUE(rc::check([](std::vector<int> items, uint64_t seed) {
    std::vector<int> shuffled = items;
    Random random(seed);
    shuffle(shuffled, random);
    RC_ASSERT(std::is_permutation(items.begin(), items.end(), shuffled.begin(), shuffled.end()));
  }));
}

TEST(Random, ShuffleReachesEveryOrder) {
  Random random(4);
  std::set<std::vector<int>> orders;
  for (int i = 0; i < 400; ++i) {
    std::vector<int> items{1, 2, 3, 4};
    shuffle(items, random);
    orders.insert(items);
  }
  EXPECT_EQ(orders.size(), 24U);
}

TEST(Mix, SeparatesOrderedPairs) {
  std::set<uint64_t> numbers;
  for (uint64_t a = 0; a < 100; ++a)
    for (uint64_t b = 0; b < 100; ++b) numbers.insert(mix(a, b));
  EXPECT_EQ(numbers.size(), 10000U);
}

}  // namespace
}  // namespace heed
