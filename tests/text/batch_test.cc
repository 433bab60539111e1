#include "text/batch.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace heed {
namespace {

using Ids = std::vector<TokenId>;
using Batches = std::vector<std::vector<int64_t>>;

Corpus corpus_of(const std::vector<std::pair<size_t, size_t>>& lengths) {
  Corpus corpus;
  for (const auto& [source, target] : lengths) corpus.add(Ids(source, 7), Ids(target, 8));
  return corpus;
}

// Lengths as in image captions: around 14 tokens, log-normal, the sides going together.
Corpus realistic_corpus(int64_t pairs) {
  Random random(5);
  std::vector<std::pair<size_t, size_t>> lengths;
  for (int64_t i = 0; i < pairs; ++i) {
    const double source = std::exp(2.6 + 0.35 * random.normal());
    const double target = source * std::exp(0.15 * random.normal());
    lengths.emplace_back(std::clamp(source, 1.0, 100.0), std::clamp(target, 1.0, 100.0));
  }
  return corpus_of(lengths);
}

int64_t padded_tokens(const Corpus& corpus, const std::vector<int64_t>& batch) {
  size_t longest = 0;
  for (const int64_t pair : batch)
    longest = std::max({longest, corpus.source(pair).size(), corpus.target(pair).size()});
  return static_cast<int64_t>(batch.size() * (longest + 1));
}

std::vector<int64_t> all_of(const Batches& batches) {
  std::vector<int64_t> pairs;
  for (const auto& batch : batches) pairs.insert(pairs.end(), batch.begin(), batch.end());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<int64_t> first_numbers(int64_t count) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  return numbers;
}

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

TEST(EpochBatches, HoldEveryPairOnceWithinTheLimit) {
  EXPECT_TRUE(rc::check([] {
    const auto lengths = *rc::gen::container<std::vector<std::pair<uint8_t, uint8_t>>>(
        rc::gen::arbitrary<std::pair<uint8_t, uint8_t>>());
    Corpus corpus;
    for (const auto& [source, target] : lengths) corpus.add(Ids(source, 7), Ids(target, 8));
    const BatchOptions options{.batch_tokens = *rc::gen::inRange(1, 2000),
                               .batch_sentences = 0,
                               .pool_batches = *rc::gen::inRange(1, 5)};
    for (const Batches& batches :
         {epoch_batches(corpus, options, *rc::gen::arbitrary<uint64_t>(), 3),
          sorted_batches(corpus, options)}) {
      RC_ASSERT(all_of(batches) == first_numbers(corpus.size()));
      for (const auto& batch : batches) {
        RC_ASSERT(!batch.empty());
        RC_ASSERT(batch.size() == 1 || padded_tokens(corpus, batch) <= options.batch_tokens);
      }
    }
  }));
}

TEST(EpochBatches, AreAFunctionOfSeedAndEpoch) {
  const Corpus corpus = realistic_corpus(2000);
  const BatchOptions options{.batch_tokens = 500, .batch_sentences = 0, .pool_batches = 10};
  const Batches batches = epoch_batches(corpus, options, 1, 0);
  EXPECT_EQ(batches, epoch_batches(corpus, options, 1, 0));
  EXPECT_NE(batches, epoch_batches(corpus, options, 1, 1));
  EXPECT_NE(batches, epoch_batches(corpus, options, 2, 0));
}

TEST(EpochBatches, WastesLittleOnPadding) {
  const Corpus corpus = realistic_corpus(30000);
  const double share = padding_share(corpus, epoch_batches(corpus, {}, 1, 0));
  EXPECT_GT(share, 0.0);
  EXPECT_LT(share, 0.10);
}

TEST(EpochBatches, MixLongAndShortBatchesOverTheEpoch) {
  const Corpus corpus = realistic_corpus(20000);
  const Batches batches = epoch_batches(corpus, {}, 1, 0);
  int64_t rises = 0;
  for (size_t i = 1; i < batches.size(); ++i)
    rises += corpus.source(batches[i][0]).size() > corpus.source(batches[i - 1][0]).size();
  const double share = static_cast<double>(rises) / static_cast<double>(batches.size());
  EXPECT_NEAR(share, 0.5, 0.15) << "sorted batches would rise always";
}

TEST(EpochBatches, CanHoldSoManySentences) {
  const Corpus corpus = realistic_corpus(1000);
  const BatchOptions options{.batch_tokens = 1, .batch_sentences = 80, .pool_batches = 4};
  const Batches batches = epoch_batches(corpus, options, 1, 0);
  EXPECT_EQ(batches.size(), 13U);  // 12 full ones and 40 sentences
  EXPECT_EQ(std::count_if(batches.begin(), batches.end(), [](auto& b) { return b.size() == 80; }),
            12);
}

TEST(EpochBatches, OfNoPairsAreNone) {
  EXPECT_TRUE(epoch_batches(Corpus(), {}, 1, 0).empty());
  EXPECT_TRUE(sorted_batches(Corpus(), {}).empty());
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
