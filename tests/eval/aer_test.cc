#include "eval/aer.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "eval/gold_links.h"
#include "eval/inputs.h"
#include "support/golden.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

class Files : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) {
    const std::string path = path_of(name);
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::string path_of(const std::string& name) const { return folder_.path() + "/" + name; }

  // The message of the UserError without the path of this test's folder.
  template <typename Call>
  std::string message_of(Call call) const {
    return test::message_of<UserError>(folder_, call);
  }

 private:
  test::TempDir folder_;
};

using Aer = Files;

// Two sentences, summed by hand:
//   1: A = {0-0, 1-1, 2-2, 3-2}  S = {0-0, 1-1}         P = S + {2-2, 2-3}
//   2: A = {0-1, 1-0}            S = {0-1, 1-2, 2-2}    P = S
//   |A| = 6  |S| = 5  |P| = 7  |A n S| = 2 + 1 = 3  |A n P| = 3 + 1 = 4
//   precision = 4 / 6 = 0.6667  recall = 3 / 5 = 0.6  F1 = 2 * 0.4 / 1.26667 = 0.6316
//   AER = 1 - (3 + 4) / (6 + 5) = 4 / 11 = 0.3636
constexpr char kLinks[] = "0-0 1-1 2-2 3-2\n0-1 1-0\n";
constexpr char kSums[] =
    "AER = 0.3636 precision = 0.6667 recall = 0.6000 F1 = 0.6316 (links = 6 sure = 5 possible = 7)";

TEST_F(Aer, EqualsTheSumsByHandForPharaohGold) {
  const auto links = read_links(write("links", kLinks));
  for (const char* gold_text :
       {"0-0 1-1 2p2 2p3\n0-1 1-2 2-2\n", "1-1 0-0 2?2  2?3 \r\n2-2 1-2 0-1"}) {
    const auto gold = read_gold(write("gold", gold_text), "pharaoh", 0, 2);
    EXPECT_EQ(aer_line(score_alignment(links, gold.sentences)), kSums);
    EXPECT_EQ(gold.dropped, 0);
  }
}

TEST_F(Aer, EqualsTheSumsByHandForNaaclGoldCountedFromOne) {
  const auto links = read_links(write("links", kLinks));
  const std::string gold_text =
      "1 1 1\n1 2 2 S\n1 3 3 P\n1 3 4 P 0.5\n2 1 2\n0002 2 3 S\n2 3 3 S 1.0\n";
  const auto gold = read_gold(write("gold", gold_text), "naacl", 1, 2);
  EXPECT_EQ(aer_line(score_alignment(links, gold.sentences)), kSums);
}

std::string text_of(const test::Golden& lines) {
  std::string text;
  for (const auto& line : lines) text += line.get<std::string>() + "\n";
  return text;
}

TEST_F(Aer, IsThatOfNltk) {
  const test::Golden cases = test::load_golden("aer").at("cases");
  ASSERT_GE(cases.size(), 20u);
  for (const auto& one : cases) {
    const auto links = read_links(write("links", text_of(one.at("links"))));
    const auto count = static_cast<int64_t>(links.size());
    for (const auto& [format, base] : {std::pair{"pharaoh", 0}, std::pair{"naacl", 1}}) {
      const auto gold = read_gold(write("gold", text_of(one.at(format))), format, base, count);
      const AlignmentScore score = score_alignment(links, gold.sentences);
      EXPECT_NEAR(score.aer(), one.at("aer").get<double>(), 1e-12) << format;
      EXPECT_NEAR(score.precision(), one.at("precision").get<double>(), 1e-12) << format;
      EXPECT_NEAR(score.recall(), one.at("recall").get<double>(), 1e-12) << format;
    }
  }
}

TEST_F(Aer, NaaclSentenceNumbersWithGapsFollowTheLines) {
  const auto gold = read_gold(write("gold", "26 1 1\n40 2 2\n26 2 1\n"), "naacl", 1, 2);
  EXPECT_EQ(gold.sentences[0].sure, (Links{{0, 0}, {1, 0}}));
  EXPECT_EQ(gold.sentences[1].sure, (Links{{1, 1}}));
}

TEST_F(Aer, NaaclSentenceWithoutGoldLinksKeepsItsLine) {
  const auto gold = read_gold(write("gold", "1 1 1\n3 2 2 P\n"), "naacl", 1, 3);
  EXPECT_EQ(gold.sentences[0].sure.size(), 1u);
  EXPECT_TRUE(gold.sentences[1].possible.empty());
  EXPECT_EQ(gold.sentences[2].possible, (Links{{1, 1}}));
}

TEST_F(Aer, PerfectLinksOfSureAndSomePossibleHaveNoError) {
  const auto gold = read_gold(write("gold", "0-0 1p1 1p2\n"), "pharaoh", 0, 1);
  const auto score = score_alignment({{{0, 0}, {1, 2}}}, gold.sentences);
  EXPECT_EQ(score.aer(), 0.0);
  EXPECT_EQ(score.precision(), 1.0);
  EXPECT_EQ(score.recall(), 1.0);
}

TEST_F(Aer, NoLinksAtAllGiveAerOne) {
  const auto score = score_alignment({{}}, {GoldLinks{{{0, 0}}, {{0, 0}}}});
  EXPECT_EQ(score.aer(), 1.0);
  EXPECT_EQ(score.precision(), 0.0);
  EXPECT_EQ(score.f1(), 0.0);
  EXPECT_EQ(score_alignment({{}}, {GoldLinks{}}).aer(), 0.0);
}

TEST_F(Aer, LinksOutOfRangeAreNotFatal) {
  const auto links = read_links(write("links", "0-0 99-123456\n"));
  const auto gold = read_gold(write("gold", "0-0 1-1 1-2\n"), "pharaoh", 1, 1);
  EXPECT_EQ(gold.dropped, 1);  // 0-0 when the first token is 1
  // A = {0-0, 99-123456}, S = P = {0-0, 0-1}: AER = 1 - 2 / 4.
  EXPECT_EQ(score_alignment(links, gold.sentences).aer(), 0.5);
}

TEST_F(Aer, MalformedLinesAreReportedWithFileAndLine) {
  const auto links = write("links", "0-0\n0-0 1p2\n");
  EXPECT_EQ(message_of([&] { read_links(links); }),
            "links:2: '1p2' is not a link: expected source-target positions such as 3-4");
  for (const char* word : {"3", "-3", "3-", "3--4", "a-1", "1-2x", "99999999999999999999-1"}) {
    const auto gold = write("gold", std::string("0-0\n") + word + "\n");
    EXPECT_EQ(message_of([&] { read_gold(gold, "pharaoh", 0, 2); }),
              "gold:2: '" + std::string(word) +
                  "' is not a gold link: write 3-4 for a sure, 3p4 or 3?4 for a possible one");
  }
  for (const char* line : {"1 2", "1 2 x", "1 2 3 Q", "1-2 3-4"}) {
    const auto gold = write("gold", std::string("1 1 1\n") + line + "\n");
    EXPECT_EQ(message_of([&] { read_gold(gold, "naacl", 1, 2); }),
              "gold:2: expected 'sentence i j [S|P]', found '" + std::string(line) + "'");
  }
}

TEST_F(Aer, OtherNumberOfSentencesIsAnError) {
  const auto gold = write("gold", "0-0\n");
  EXPECT_EQ(message_of([&] { read_gold(gold, "pharaoh", 0, 2); }),
            "gold has 1 line, the links have 2; they must match");
  const auto numbered = write("numbered", "1 1 1\n9 1 1\n");
  EXPECT_EQ(
      message_of([&] { read_gold(numbered, "naacl", 1, 3); }),
      "numbered has links of 2 sentences numbered 1 to 9, which do not match the 3 lines of the "
      "links");
}

using Inputs = Files;

TEST_F(Inputs, DifferentLineCountsAreReportedWithBothNumbers) {
  const TextInput hypothesis = read_text(write("HYP", "The cat sat on the mat .\n"));
  const TextInput reference = read_text(write("REF", "a\nb"));
  EXPECT_EQ(message_of([&] {
              check_line_counts({hypothesis, reference});
            }),
            "HYP has 1 line, REF has 2; they must match");
  EXPECT_EQ(message_of([&] { check_line_counts({reference, reference}); }), "(nothing thrown)");
}

TEST_F(Inputs, SubwordMarksAreDoubted) {
  EXPECT_EQ(doubts_about({"f", {"ein H@@ und bellt", "so nicht"}}, true).size(), 1u);
  EXPECT_EQ(doubts_about({"f", {"▁ein ▁H und"}}, true).size(), 1u);
  EXPECT_EQ(doubts_about({"f", {"a tra@@"}}, true).size(), 1u);
  EXPECT_TRUE(doubts_about({"f", {"mail me@@home or me@home now", ""}}, true).empty());
}

TEST_F(Inputs, TextWithoutSpacesIsDoubtedOnlyForTokenizersThatNeedThem) {
  const TextInput japanese{"f", {"私は猫が好きです。", "犬も 好きです。", "鳥も好きです。", ""}};
  ASSERT_EQ(doubts_about(japanese, true).size(), 1u);
  EXPECT_NE(doubts_about(japanese, true)[0].find("--tokenize char"), std::string::npos);
  EXPECT_TRUE(doubts_about(japanese, false).empty());
  EXPECT_TRUE(doubts_about({"f", {"a b", "c d", "word", ""}}, true).empty());
  EXPECT_TRUE(doubts_about({"f", {"", ""}}, true).empty());
}

}  // namespace
}  // namespace heed
