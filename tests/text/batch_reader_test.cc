#include "text/batch_reader.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "text/some_corpus.h"

namespace heed {
namespace {

using test::epoch_batches;
using test::pairs_of;
using test::realistic_corpus;

const BatchOptions kOptions{.batch_tokens = 300, .batch_sentences = 0, .pool_batches = 3};

TEST(BatchReader, GivesTheBatchesOfOneEpochAfterTheOther) {
  const Corpus corpus = realistic_corpus(500);
  BatchReader reader(corpus, kOptions, 7, 2, 0);
  for (const uint64_t epoch : {2, 3, 4}) {
    const auto batches = epoch_batches(corpus, kOptions, 7, epoch);
    int64_t pairs = 0;
    for (size_t i = 0; i < batches.size(); ++i) {
      const EpochBatch next = reader.next();
      ASSERT_EQ(pairs_of(next.batch), batches[i]) << epoch << " " << i;
      EXPECT_EQ(next.batch.source, make_batch(corpus.pairs(batches[i])).source);
      EXPECT_EQ(next.batch.target_out, make_batch(corpus.pairs(batches[i])).target_out);
      pairs += next.batch.B;
      EXPECT_EQ(next.pairs_done, pairs);
      EXPECT_EQ(next.ends_epoch, i + 1 == batches.size());
    }
    EXPECT_EQ(pairs, 500);
  }
}

TEST(BatchReader, BeginsInsideAnEpoch) {
  const Corpus corpus = realistic_corpus(500);
  const auto first = epoch_batches(corpus, kOptions, 7, 0);
  BatchReader reader(corpus, kOptions, 7, 0, std::ssize(first) - 2);
  EXPECT_EQ(pairs_of(reader.next().batch), first[first.size() - 2]);
  const EpochBatch last = reader.next();
  EXPECT_EQ(pairs_of(last.batch), first.back());
  EXPECT_EQ(last.pairs_done, 500);
  EXPECT_TRUE(last.ends_epoch);
  EXPECT_EQ(pairs_of(reader.next().batch), epoch_batches(corpus, kOptions, 7, 1).front());
}

TEST(BatchReader, RefusesABatchThatTheEpochLacks) {
  const Corpus corpus = realistic_corpus(50), none;
  const auto count = std::ssize(epoch_batches(corpus, kOptions, 7, 0));
  for (const int64_t beyond : {0, 1}) {
    BatchReader reader(corpus, kOptions, 7, 0, count + beyond);
    EXPECT_THROW(reader.next(), InternalError);
  }
  EXPECT_THROW(BatchReader(none, kOptions, 7, 0, 0), InternalError);
}

}  // namespace
}  // namespace heed
