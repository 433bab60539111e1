#include "text/batch.h"

#include <gtest/gtest.h>

#include "text/some_corpus.h"

namespace heed {
namespace {

using test::corpus_of;

using Ids = std::vector<TokenId>;
using Batches = std::vector<std::vector<int64_t>>;

TEST(Batch, IsTimeMajorWithItsMarksInPlace) {
  Corpus corpus;
  corpus.add(Ids{5, 6}, Ids{7});
  corpus.add(Ids{8}, Ids{9, 10});
  const std::vector<int64_t> pairs{1, 0};
  const Batch batch = make_batch(corpus, pairs);
  EXPECT_EQ(batch.B, 2);
  EXPECT_EQ(batch.S, 3);
  EXPECT_EQ(batch.T, 3);
  EXPECT_EQ(batch.source, (Ids{8, 5, kEnd, 6, kEnd, kEnd}));
  EXPECT_EQ(batch.source_length, (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(batch.target_in, (Ids{kStart, kStart, 9, 7, 10, kEnd}));
  EXPECT_EQ(batch.target_out, (Ids{9, 7, 10, kEnd, kEnd, kEnd}));
  EXPECT_EQ(batch.target_length, (std::vector<int32_t>{3, 2}));
  EXPECT_EQ(batch.target_tokens, 5);
  EXPECT_EQ(batch.pairs, pairs);
}

TEST(Batch, OfSourcesHasNoTarget) {
  const std::vector<Ids> sentences{{5}, {6, 7}};
  const Batch batch = make_source_batch(sentences);
  EXPECT_EQ(batch.B, 2);
  EXPECT_EQ(batch.S, 3);
  EXPECT_EQ(batch.T, 0);
  EXPECT_EQ(batch.source, (Ids{5, 6, kEnd, 7, kEnd, kEnd}));
  EXPECT_EQ(batch.source_length, (std::vector<int32_t>{2, 3}));
  EXPECT_TRUE(batch.target_in.empty());
  EXPECT_EQ(batch.target_tokens, 0);
}

TEST(SortedBatches, GoFromShortToLong) {
  const Corpus corpus = corpus_of({{9, 1}, {2, 2}, {1, 5}, {1, 1}});
  const BatchOptions options{.batch_tokens = 0, .batch_sentences = 1, .pool_batches = 1};
  EXPECT_EQ(sorted_batches(corpus, options), (Batches{{3}, {1}, {2}, {0}}));
}

TEST(PaddingShare, CountsPaddedPositionsOfBothSides) {
  // Sides with </s>: source 3 and 2 padded to 3, target 2 and 6 padded to 6: 5 of 18 positions.
  EXPECT_DOUBLE_EQ(padding_share(corpus_of({{2, 1}, {1, 5}}), {{0, 1}}), 5.0 / 18);
  EXPECT_EQ(padding_share(corpus_of({{2, 1}}), {{0}}), 0.0);
  EXPECT_EQ(padding_share(Corpus(), {}), 0.0);
}

}  // namespace
}  // namespace heed
