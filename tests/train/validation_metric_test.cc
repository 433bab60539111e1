#include "train/validation_metric.h"

#include <gtest/gtest.h>

#include <cmath>

#include "train/user_error.h"

namespace heed {
namespace {

TEST(BestValue, HigherBleuAndLowerPerplexityAreBetter) {
  BestValue bleu, perplexity;
  EXPECT_TRUE(bleu.offer(find_validation_metric("bleu"), 20, 1));
  EXPECT_FALSE(bleu.offer(find_validation_metric("bleu"), 19, 2));
  EXPECT_TRUE(perplexity.offer(find_validation_metric("perplexity"), 20, 1));
  EXPECT_TRUE(perplexity.offer(find_validation_metric("perplexity"), 19, 2));
  EXPECT_EQ(bleu, (BestValue{20.0, 1, 1}));
  EXPECT_EQ(perplexity, (BestValue{19.0, 2, 0}));
}

TEST(BestValue, AnEqualValueIsNotBetter) {
  BestValue best;
  best.offer(find_validation_metric("bleu"), 20, 1);
  EXPECT_FALSE(best.offer(find_validation_metric("bleu"), 20, 2));
  EXPECT_EQ(best.update, 1);
}

TEST(BestValue, NotANumberIsNeverTheBest) {
  for (const char* name : {"bleu", "cross_entropy"}) {
    BestValue best;
    EXPECT_FALSE(best.offer(find_validation_metric(name), std::nan(""), 1));
    EXPECT_FALSE(best.value.has_value());
    EXPECT_TRUE(best.offer(find_validation_metric(name), 3, 2));
  }
}

TEST(ValidationMetric, UnknownNameListsTheKnown) {
  EXPECT_EQ(test::user_error([] { find_validation_metric("chrf"); }),
            "train.metric: unknown metric 'chrf'; known: bleu, cross_entropy, perplexity");
}

}  // namespace
}  // namespace heed
