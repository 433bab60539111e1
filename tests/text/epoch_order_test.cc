#include "text/epoch_order.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.h"
#include "support/temp_dir.h"
#include "text/some_corpus.h"

namespace heed {
namespace {

using namespace test;

int64_t padded_tokens(const Corpus& corpus, const std::vector<int64_t>& batch) {
  size_t longest = 0;
  for (const int64_t pair : batch)
    longest = std::max({longest, corpus.source(pair).size(), corpus.target(pair).size()});
  return static_cast<int64_t>(batch.size() * (longest + 1));
}

TEST(EpochOrder, HoldsEveryPairOnceWithinTheLimit) {
  EXPECT_TRUE(rc::check([] {
    const auto lengths = *rc::gen::container<std::vector<std::pair<uint8_t, uint8_t>>>(
        rc::gen::arbitrary<std::pair<uint8_t, uint8_t>>());
    const Corpus corpus = corpus_of({lengths.begin(), lengths.end()});
    const BatchOptions options{.batch_tokens = *rc::gen::inRange(1, 2000),
                               .batch_sentences = 0,
                               .pool_batches = *rc::gen::inRange(1, 5)};
    for (const Batches& batches :
         {epoch_batches(corpus, options, *rc::gen::arbitrary<uint64_t>(), 3),
          batches_by_length(corpus.all_lengths(), options)}) {
      RC_ASSERT(all_of(batches) == first_numbers(corpus.size()));
      for (const auto& batch : batches) {
        RC_ASSERT(!batch.empty());
        RC_ASSERT(batch.size() == 1 || padded_tokens(corpus, batch) <= options.batch_tokens);
      }
    }
  }));
}

TEST(EpochOrder, HoldsEveryPairOnceInManyGroups) {
  EXPECT_TRUE(rc::check([] {
    const Corpus corpus = realistic_corpus(*rc::gen::inRange(1, 2000));
    const BatchOptions options{.batch_tokens = 0,
                               .batch_sentences = *rc::gen::inRange(1, 9),
                               .pool_batches = *rc::gen::inRange(1, 5)};
    const Batches batches = epoch_batches(corpus, options, *rc::gen::arbitrary<uint64_t>(), 0);
    RC_ASSERT(all_of(batches) == first_numbers(corpus.size()));
  }));
}

TEST(EpochOrder, IsAFunctionOfSeedAndEpoch) {
  const Corpus corpus = realistic_corpus(2000);
  const BatchOptions options{.batch_tokens = 500, .batch_sentences = 0, .pool_batches = 10};
  const Batches batches = epoch_batches(corpus, options, 1, 0);
  EXPECT_EQ(batches, epoch_batches(corpus, options, 1, 0));
  EXPECT_NE(batches, epoch_batches(corpus, options, 1, 1));
  EXPECT_NE(batches, epoch_batches(corpus, options, 2, 0));
}

TEST(EpochOrder, IsTheSameForACorpusInAFile) {
  const TempDir dir;
  const CorpusStorage storage{.folder = dir.path(), .memory_bytes = 1000};
  const BatchOptions options{.batch_tokens = 300, .batch_sentences = 0, .pool_batches = 3};
  EXPECT_EQ(epoch_batches(realistic_corpus(3000, storage), options, 1, 0),
            epoch_batches(realistic_corpus(3000), options, 1, 0));
}

TEST(EpochOrder, GoesOnAfterWhatItSkipped) {
  const Corpus corpus = realistic_corpus(3000);
  const BatchOptions options{.batch_tokens = 300, .batch_sentences = 0, .pool_batches = 3};
  const Batches batches = epoch_batches(corpus, options, 1, 0);
  ASSERT_GT(batches.size(), 100U) << "several groups of 48 batches";
  for (const size_t skipped : {size_t{0}, size_t{1}, size_t{47}, size_t{90}, batches.size()}) {
    EpochOrder order(corpus, options, 1, 0);
    order.skip(static_cast<int64_t>(skipped));
    int64_t pairs = 0;
    for (size_t i = 0; i < skipped; ++i) pairs += std::ssize(batches[i]);
    EXPECT_EQ(order.pairs_done(), pairs);
    Batches rest;
    while (!order.at_end()) rest.push_back(order.next());
    EXPECT_TRUE(std::equal(rest.begin(), rest.end(),
                           batches.begin() + std::ssize(batches) - std::ssize(rest)));
    EXPECT_EQ(rest.size(), batches.size() - skipped);
  }
  EXPECT_THROW(EpochOrder(corpus, options, 1, 0).skip(std::ssize(batches) + 1), InternalError);
}

TEST(EpochOrder, WastesLittleOnPadding) {
  const Corpus corpus = realistic_corpus(30000);
  const double share = padding_share(corpus, epoch_batches(corpus, {}, 1, 0));
  EXPECT_GT(share, 0.0);
  EXPECT_LT(share, 0.10);
}

TEST(EpochOrder, MixesLongAndShortBatchesOverTheEpoch) {
  const Corpus corpus = realistic_corpus(20000);
  const Batches batches = epoch_batches(corpus, {}, 1, 0);
  int64_t rises = 0;
  for (size_t i = 1; i < batches.size(); ++i)
    rises += corpus.source(batches[i][0]).size() > corpus.source(batches[i - 1][0]).size();
  const double share = static_cast<double>(rises) / static_cast<double>(batches.size());
  EXPECT_NEAR(share, 0.5, 0.15) << "sorted batches would rise always";
}

// A corpus of several groups: each part of an epoch must hold pairs from the whole of it.
TEST(EpochOrder, VisitsTheWholeCorpusInEachPartOfAnEpoch) {
  const Corpus corpus = realistic_corpus(20000);
  const BatchOptions options{.batch_tokens = 0, .batch_sentences = 20, .pool_batches = 5};
  const Batches batches = epoch_batches(corpus, options, 1, 0);
  ASSERT_EQ(batches.size(), 1000U);
  for (size_t part = 0; part < 10; ++part) {  // 2,000 pairs each
    double sum = 0;
    for (size_t i = 100 * part; i < 100 * (part + 1); ++i)
      for (const int64_t pair : batches[i]) sum += static_cast<double>(pair);
    EXPECT_NEAR(sum / 2000, 10000, 5 * 130) << "5 deviations of 20000 / sqrt(12 * 2000)";
  }
}

TEST(EpochOrder, CanHoldAFixedNumberOfSentences) {
  const Corpus corpus = realistic_corpus(1000);
  const BatchOptions options{.batch_tokens = 1, .batch_sentences = 80, .pool_batches = 4};
  const Batches batches = epoch_batches(corpus, options, 1, 0);
  EXPECT_EQ(batches.size(), 13U);  // 12 full ones and 40 sentences
  EXPECT_EQ(std::count_if(batches.begin(), batches.end(), [](auto& b) { return b.size() == 80; }),
            12);
}

TEST(EpochOrder, OfNoPairsIsAtItsEnd) {
  const Corpus none;
  EpochOrder order(none, {}, 1, 0);
  EXPECT_TRUE(order.at_end());
  EXPECT_THROW(order.next(), InternalError);
}

}  // namespace
}  // namespace heed
