#include "text/length_batches.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

using Batches = std::vector<std::vector<int64_t>>;

TEST(BatchesByLength, GoFromShortToLong) {
  const std::vector<PairLengths> pairs{{0, 9, 1}, {1, 2, 2}, {2, 1, 5}, {3, 1, 1}};
  const BatchOptions options{.batch_tokens = 0, .batch_sentences = 1, .pool_batches = 1};
  EXPECT_EQ(batches_by_length(pairs, options), (Batches{{3}, {1}, {2}, {0}}));
}

TEST(BatchesByLength, KeepTheirPaddedTokensWithinTheLimit) {
  // Longer sides with </s>: 3, 3, 6 and 10. Two pairs of 3 are 6 padded tokens, three would be 18.
  const std::vector<PairLengths> pairs{{7, 9, 1}, {5, 2, 2}, {3, 1, 5}, {1, 2, 2}};
  EXPECT_EQ(batches_by_length(pairs, {.batch_tokens = 17}), (Batches{{5, 1}, {3}, {7}}));
  EXPECT_EQ(batches_by_length(pairs, {.batch_tokens = 18}), (Batches{{5, 1, 3}, {7}}));
  EXPECT_EQ(batches_by_length(pairs, {.batch_tokens = 1}), (Batches{{5}, {1}, {3}, {7}}));
}

TEST(BatchesByLength, OfNoPairsAreNone) { EXPECT_TRUE(batches_by_length({}, {}).empty()); }

}  // namespace
}  // namespace heed
