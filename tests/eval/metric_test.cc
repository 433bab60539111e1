#include "eval/metric.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "eval/by_length.h"
#include "eval/ter.h"
#include "support/golden.h"

namespace heed {
namespace {

using Lines = std::vector<std::string>;

Statistics corpus_sum(const TextMetric& metric, const Lines& hypotheses,
                      const std::vector<Lines>& references, const MetricOptions& options) {
  return sum_of(metric, sentence_statistics(metric, hypotheses, references, options));
}

std::string up_to_version(const std::string& signature) {
  return signature.substr(0, signature.find("|version:"));
}

TEST(Metric, CorpusScoresAndSignaturesEqualSacrebleu) {
  const auto golden = test::load_golden("metrics");
  ASSERT_GE(golden.at("corpus").size(), 100u);
  for (const auto& c : golden.at("corpus")) {
    SCOPED_TRACE(c.dump());
    const auto& text = golden.at("texts").at(c.at("text").get<std::string>());
    const auto references = text.at("references").get<std::vector<Lines>>();
    const TextMetric& metric = find_text_metric(c.at("metric"));
    MetricOptions options;
    options.lowercase = c.at("lowercase");
    const auto sum = corpus_sum(metric, text.at("hypotheses").get<Lines>(), references, options);
    EXPECT_NEAR(metric.score(sum, options), c.at("score").get<double>(), 1e-9);
    EXPECT_EQ(up_to_version(metric.signature(options, references.size())),
              up_to_version(c.at("signature")));
  }
}

TEST(Metric, ScoresOfSingleSentencesEqualSacrebleu) {
  const auto golden = test::load_golden("metrics");
  ASSERT_GE(golden.at("sentences").size(), 100u);
  MetricOptions options;
  options.effective_order = true;
  for (const auto& c : golden.at("sentences")) {
    SCOPED_TRACE(c.at("text").get<std::string>() + " " + c.at("metric").get<std::string>());
    const auto& text = golden.at("texts").at(c.at("text").get<std::string>());
    const TextMetric& metric = find_text_metric(c.at("metric"));
    const auto sentences =
        sentence_statistics(metric, text.at("hypotheses").get<Lines>(),
                            text.at("references").get<std::vector<Lines>>(), options);
    const auto scores = c.at("scores").get<std::vector<double>>();
    ASSERT_EQ(sentences.size(), scores.size());
    for (size_t i = 0; i < scores.size(); ++i) {
      EXPECT_NEAR(metric.score(sentences[i], options), scores[i], 1e-9) << "sentence " << i;
    }
  }
}

TEST(Metric, StatisticsHaveTheSizeThatTheTableStates) {
  std::set<std::string> names;
  for (const auto& metric : text_metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second);
    EXPECT_EQ(metric.count("a b", {"a c"}, {}).size(), metric.size) << metric.name;
    EXPECT_EQ(metric.higher_is_better, std::string(metric.name) != "ter");
  }
}

TEST(Metric, UnknownOneIsReportedWithThoseThatExist) {
  try {
    find_text_metric("meteor");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "unknown metric 'meteor': there are bleu, chrf, chrf++, ter");
  }
}

TEST(Metric, RefusesReferencesOfOtherLength) {
  const auto& metric = find_text_metric("chrf");
  EXPECT_THROW(sentence_statistics(metric, {"a"}, {{"a", "b"}}, {}), InternalError);
  EXPECT_THROW(sentence_statistics(metric, {"a"}, {}, {}), InternalError);
}

// Snover et al. 2006, section 3: moving a block is one edit, however long the block is.
TEST(Ter, AMovedBlockIsOneEdit) {
  EXPECT_EQ(count_edits({1, 2, 3, 4}, {1, 2, 3, 4}), 0);
  EXPECT_EQ(count_edits({4, 5, 6, 1, 2, 3}, {1, 2, 3, 4, 5, 6}), 1);
  EXPECT_EQ(count_edits({1, 2}, {}), 2);
  EXPECT_EQ(count_edits({}, {1, 2, 3}), 3);
}

TEST(ByLength, EachBucketIsTheScoreOfItsSentencesAlone) {
  const std::string ten = "a b c d e f g h i j";
  const Lines hypotheses = {ten, "", "a b c d x", ten + " k"};
  const std::vector<Lines> references = {{ten, "", "a b c d e", ten + " l"}};
  std::string seventy;
  for (int i = 0; i < 70; ++i) seventy += "w ";
  const Lines sources = {"one", "", ten, seventy};
  MetricOptions options;
  options.tokenize = "none";
  for (const auto& metric : text_metrics()) {
    SCOPED_TRACE(metric.name);
    const auto sentences = sentence_statistics(metric, hypotheses, references, options);
    const auto buckets = sums_by_length(metric, sentences, sources, options);
    ASSERT_EQ(buckets.size(), 3u);
    EXPECT_EQ(buckets[0].name(), "0");
    EXPECT_EQ(buckets[0].sentences, 1);
    EXPECT_EQ(buckets[1].name(), "1-10");
    EXPECT_EQ(buckets[1].sentences, 2);
    EXPECT_EQ(buckets[1].sum, corpus_sum(metric, {hypotheses[0], hypotheses[2]},
                                         {{references[0][0], references[0][2]}}, options));
    EXPECT_EQ(buckets[2].name(), "61+");
  }
}

TEST(ByLength, ElevenTokensAreInTheSecondBucket) {
  const auto& metric = find_text_metric("bleu");
  const auto sentences = sentence_statistics(metric, {"x"}, {{"x"}}, {});
  const auto buckets = sums_by_length(metric, sentences, {"a b c d e f g h i j k"}, {});
  ASSERT_EQ(buckets.size(), 1u);
  EXPECT_EQ(buckets[0].name(), "11-20");
}

}  // namespace
}  // namespace heed
