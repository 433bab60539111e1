#include "text/batch.h"

#include <gtest/gtest.h>

#include <span>
#include <vector>

namespace heed {
namespace {

using Ids = std::vector<TokenId>;

TEST(Batch, IsTimeMajorWithItsMarksInPlace) {
  const Ids source[] = {{8}, {5, 6}}, target[] = {{9, 10}, {7}};
  const std::vector<SentencePair> pairs{{source[0], target[0]}, {source[1], target[1]}};
  const Batch batch = make_batch(pairs);
  EXPECT_EQ(batch.B, 2);
  EXPECT_EQ(batch.S, 3);
  EXPECT_EQ(batch.T, 3);
  EXPECT_EQ(batch.source, (Ids{8, 5, kEnd, 6, kEnd, kEnd}));
  EXPECT_EQ(batch.source_length, (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(batch.target_in, (Ids{kStart, kStart, 9, 7, 10, kEnd}));
  EXPECT_EQ(batch.target_out, (Ids{9, 7, 10, kEnd, kEnd, kEnd}));
  EXPECT_EQ(batch.target_length, (std::vector<int32_t>{3, 2}));
  EXPECT_EQ(batch.target_tokens, 5);
}

TEST(Batch, OfSourcesHasNoTarget) {
  const Ids sentences[] = {{5}, {6, 7}};
  const std::vector<std::span<const TokenId>> sources{sentences[0], sentences[1]};
  const Batch batch = make_source_batch(sources);
  EXPECT_EQ(batch.B, 2);
  EXPECT_EQ(batch.S, 3);
  EXPECT_EQ(batch.T, 0);
  EXPECT_EQ(batch.source, (Ids{5, 6, kEnd, 7, kEnd, kEnd}));
  EXPECT_EQ(batch.source_length, (std::vector<int32_t>{2, 3}));
  EXPECT_TRUE(batch.target_in.empty());
  EXPECT_EQ(batch.target_tokens, 0);
}

}  // namespace
}  // namespace heed
