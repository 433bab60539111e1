// heed shortlist and translation with its file, through the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "decode/saved_random_model.h"
#include "support/run_heed.h"

namespace heed {
namespace {

using test::ProgramRun;

class ShortlistVerb : public ::testing::Test {
 protected:
  ShortlistVerb() {
    test::save_random_model(dir_.file("m"));
    dir_.write("s", "a b\na c\nb\nd e f\n");
    dir_.write("t", "e f\ne g\nf\nh i a\n");
    dir_.write("text", "a b c\n\nd\nzebra a\ne f g h i a b\n");
  }

  // Options with paths as @NAME.
  ProgramRun run(const std::string& words) const { return test::run_heed_in(dir_, words); }
  ProgramRun learn(const std::string& options) const {
    return run("shortlist --model @m --source @s --target @t --output @lex " + options);
  }
  ProgramRun translate(const std::string& options) const {
    return run("translate --model @m --scores --input @text " + options);
  }
  void expect_error(const ProgramRun& run, const std::string& part, int code = 1) const {
    EXPECT_EQ(run.code, code);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
  }

  test::TempDir dir_;
};

TEST_F(ShortlistVerb, WritesTheBestCandidatesOfEachPiece) {
  ASSERT_EQ(learn("").code, 0);
  const std::string all = dir_.read("lex");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 3 + 2 + 2 + 3 * 3);  // co-occurring ones
  EXPECT_EQ(all.rfind("e a 0.", 0), 0U) << all;
  ASSERT_EQ(learn("--candidates 1 --threads 1").code, 0);
  const std::string best = dir_.read("lex");
  EXPECT_EQ(std::count(best.begin(), best.end(), '\n'), 6);
  EXPECT_NE(best.find("\nf b 0."), std::string::npos) << best;
}

TEST_F(ShortlistVerb, TakesGzipAndTellsMistakes) {
  ASSERT_EQ(learn("").code, 0);
  const std::string plain = dir_.read("lex");
  ASSERT_EQ(std::system(("gzip " + dir_.file("s") + " " + dir_.file("t")).c_str()), 0);
  ASSERT_EQ(run("shortlist --model @m --source @s.gz --target @t.gz --output @lex").code, 0);
  EXPECT_EQ(dir_.read("lex"), plain);
  expect_error(learn(""), dir_.file("s"));
  expect_error(run("shortlist --model @m --source @text --target @t.gz --output @lex"), "lines");
  expect_error(run("shortlist --model @m --source @s.gz --target @t.gz --output @s.gz"),
               "are the same file", 2);
  EXPECT_EQ(dir_.read("lex"), plain);
}

TEST_F(ShortlistVerb, TheWholeVocabularyGivesTheTranslationWithout) {
  ASSERT_EQ(learn("").code, 0);
  const ProgramRun run = translate("--shortlist @lex --shortlist-frequent 100");
  EXPECT_EQ(run.out, translate("").out);
  EXPECT_NE(run.err.find("6 source pieces"), std::string::npos) << run.err;
}

TEST_F(ShortlistVerb, NoBatchSizeNumberOfThreadsOrPackingChangesTheTranslation) {
  ASSERT_EQ(learn("").code, 0);
  const std::string few = "--shortlist-frequent 1 --shortlist-candidates 2 ";
  const std::string expected = translate(few + "--shortlist @lex").out;
  EXPECT_NE(expected, translate("").out);
  for (const char* options : {"--batch-tokens 1", "--batch-tokens 7", "--threads 1", "--threads 2"})
    EXPECT_EQ(translate(few + "--shortlist @lex " + options).out, expected);
  ASSERT_EQ(std::system(("gzip " + dir_.file("lex")).c_str()), 0);
  EXPECT_EQ(translate(few + "--shortlist @lex.gz").out, expected);
}

TEST_F(ShortlistVerb, MistakesAreToldInOneLine) {
  dir_.write("bad", "e a 0.5\ne a much\n");
  expect_error(translate("--shortlist @bad"), "bad:2: 'much' is not a probability");
  expect_error(translate("--shortlist @none"), dir_.file("none"));
  expect_error(translate("--shortlist-frequent 5"), "--shortlist-frequent needs --shortlist", 2);
  expect_error(translate("--shortlist-candidates 5"), "--shortlist-candidates needs", 2);
  expect_error(run("translate --model @m --shortlist - </dev/null"), "standard input", 2);
  expect_error(translate("--shortlist ''"), "--shortlist: '' is no file", 2);
  dir_.write("lex", "e a 0.5\nnobody a 0.5\n");
  const ProgramRun known = translate("--shortlist @lex");
  EXPECT_EQ(known.code, 0);
  EXPECT_NE(known.err.find("1 of 2 lines have pieces"), std::string::npos) << known.err;
  EXPECT_EQ(known.err.find("another model"), std::string::npos) << known.err;
  dir_.write("foreign", "e a 0.5\nx y 0.5\ny z 0.5\n");
  const ProgramRun foreign = translate("--shortlist @foreign");
  EXPECT_NE(foreign.err.find("the lexicon of another model?"), std::string::npos) << foreign.err;
  const ProgramRun same = translate("--shortlist @lex --output @lex");
  expect_error(same, "are the same file", 2);
}

}  // namespace
}  // namespace heed
