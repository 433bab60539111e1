#include "eval/bleu.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "base/error.h"
#include "eval/metric.h"
#include "eval/tokenizers.h"
#include "eval/unicode.h"
#include "support/golden.h"

namespace heed {
namespace {

using Lines = std::vector<std::string>;

// sacreBLEU's line without the version of the program that made it.
std::string without_version(const std::string& line) {
  const size_t begin = line.find("|version:");
  const size_t end = line.find(" = ");
  return line.substr(0, begin) + line.substr(end);
}

TEST(Bleu, EqualsSacrebleuToTheLastDigitInEveryGoldenCase) {
  const auto cases = test::load_golden("bleu").at("cases");
  ASSERT_GE(cases.size(), 20u);
  for (const auto& c : cases) {
    SCOPED_TRACE(c.at("name").get<std::string>());
    const MetricOptions options{c.at("tokenize"), c.at("lowercase")};
    const auto references = c.at("references").get<std::vector<Lines>>();
    const auto score = corpus_bleu(c.at("hypotheses").get<Lines>(), references, options);
    EXPECT_EQ(score.counts.matches, (c.at("counts").get<std::array<int64_t, 4>>()));
    EXPECT_EQ(score.counts.totals, (c.at("totals").get<std::array<int64_t, 4>>()));
    EXPECT_EQ(score.counts.hypothesis_length, c.at("sys_len").get<int64_t>());
    EXPECT_EQ(score.counts.reference_length, c.at("ref_len").get<int64_t>());
    EXPECT_DOUBLE_EQ(score.score, c.at("score").get<double>());
    EXPECT_DOUBLE_EQ(score.brevity_penalty, c.at("bp").get<double>());
    for (size_t n = 0; n < 4; ++n) {
      EXPECT_DOUBLE_EQ(score.precisions[n], c.at("precisions")[n].get<double>());
    }
    const std::string line = metric_line(find_text_metric("bleu"), bleu_statistics(score.counts),
                                         bleu_signature(options, references.size()), options);
    EXPECT_EQ(without_version(line), without_version(c.at("line")));
  }
}

TEST(Bleu, SignatureNamesAllThatTheFigureDependsOn) {
  EXPECT_EQ(bleu_signature({"intl", true}, 2),
            "nrefs:2|case:lc|eff:no|tok:intl|smooth:exp|version:heed-0.1.0");
}

TEST(Bleu, UnknownTokenizerIsReportedWithThoseThatExist) {
  try {
    corpus_bleu({}, {{}}, {"13b", false});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "unknown tokenizer '13b': there are 13a, intl, char, zh, none");
  }
}

TEST(Bleu, RefusesReferencesOfOtherLength) {
  EXPECT_THROW(corpus_bleu({"a"}, {{"a", "b"}}), InternalError);
  EXPECT_THROW(corpus_bleu({"a"}, {}), InternalError);
}

Lines random_lines(size_t count) {
  Lines lines(count);
  for (auto& line : lines) {
    const auto words = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5));
    for (int word : words) line += std::string(1, static_cast<char>('a' + word)) + " ";
  }
  return lines;
}

TEST(Bleu, OrderOfReferencesAndOfSentencesDoesNotMatter) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<size_t>(1, 6);
    Lines h = random_lines(count);
    Lines r = random_lines(count);
    Lines s = random_lines(count);
    const double score = corpus_bleu(h, {r, s}).score;
    RC_ASSERT(corpus_bleu(h, {s, r}).score == score);
    for (Lines* lines : {&h, &r, &s}) std::reverse(lines->begin(), lines->end());
    RC_ASSERT(corpus_bleu(h, {r, s}).score == score);
    RC_ASSERT(score >= 0.0 && score <= 100.0 + 1e-9);
  }));
}

TEST(Bleu, InvalidUtf8IsScoredAsReplacementCharacters) {
  EXPECT_EQ(to_code_points("a\xff"), U"a\uFFFD");
  EXPECT_DOUBLE_EQ(corpus_bleu({"a b c \xff"}, {{"a b c \xff"}}).score,
                   corpus_bleu({"a b c d"}, {{"a b c d"}}).score);
}

}  // namespace
}  // namespace heed
