#include "decode/translate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "decode/forced.h"
#include "decode/random_model.h"
#include "support/temp_dir.h"
#include "text/word_vocabulary.h"

namespace heed {
namespace {

using test::random_model;
using test::random_sentences;
using test::TempDir;

class TranslateText : public ::testing::Test {
 protected:
  TranslateText() {
    options_.search.beam = 3;
    options_.search.constraints.max_length_ratio = 1;
    options_.search.constraints.max_length_extra = 3;
  }

  std::string file(const std::string& name, const std::string& content) const {
    const std::string path = dir_.path() + "/" + name;
    write_file(path, content);
    return path;
  }

  std::vector<TranslatedLine> translate(const std::string& content) {
    LineReader lines(file("in", content));
    std::vector<TranslatedLine> translated;
    Translator translator(*model_, vocabulary_, options_);
    counts_ = translator.run(
        lines, [&](const TranslatedLine& line) { translated.push_back(line); }, [] {});
    return translated;
  }

  std::vector<std::string> texts(const std::vector<TranslatedLine>& lines) const {
    std::vector<std::string> result;
    for (const TranslatedLine& line : lines)
      result.push_back(vocabulary_.decode(line.translation.best().ids));
    return result;
  }

  std::string random_text(size_t lines, int longest) const {
    std::string text;
    for (const auto& sentence : random_sentences(lines, longest, 12))
      text += vocabulary_.decode(sentence) + "\n";
    return text;
  }

  TempDir dir_;
  WordVocabulary vocabulary_{{"a", "b", "c", "d", "e", "f", "g", "h", "i"}, false};
  std::unique_ptr<Model> model_ = random_model({});
  TranslatorOptions options_;
  TranslationCounts counts_;
};

TEST_F(TranslateText, BlankLinesStayBlankAndLinesStayPaired) {
  const auto lines = translate("a b\n\n \t \nc\n\n");
  ASSERT_EQ(lines.size(), 5U);
  const auto alone_a = texts(translate("a b\n")), alone_c = texts(translate("c\n"));
  EXPECT_EQ(texts(lines), (std::vector<std::string>{alone_a[0], "", "", alone_c[0], ""}));
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(lines[i].id, static_cast<int64_t>(i));
  EXPECT_EQ(lines[1].translation.nbest.size(), 1U);
  EXPECT_EQ(lines[1].translation.best().log_probability, 0);
  EXPECT_TRUE(lines[1].translation.best().finished);
}

TEST_F(TranslateText, AnEmptyFileGivesNothing) {
  EXPECT_TRUE(translate("").empty());
  EXPECT_EQ(counts_.summary(), "0 lines read, 0 written, 0 empty, 0 truncated");
}

TEST_F(TranslateText, OrderIsThatOfTheInputAndNoBatchSizeChangesTheText) {
  options_.search.beam = 2;
  const std::string text = random_text(2100, 5);  // more than one window
  const auto first = translate(text);
  ASSERT_EQ(first.size(), 2100U);
  for (size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].id, static_cast<int64_t>(i));
  options_.batch_tokens = 1;
  const auto one_by_one = translate(random_text(100, 5));
  options_.batch_tokens = 200;
  const auto small = translate(text);
  EXPECT_EQ(texts(first), texts(small));
  const auto head = texts(first);
  EXPECT_EQ(texts(one_by_one), std::vector<std::string>(head.begin(), head.begin() + 100));
}

TEST_F(TranslateText, LinesInMemoryGiveTheSameAsAFile) {
  const std::string text = random_text(40, 9);
  const auto from_file = texts(translate(text + "\n"));
  std::vector<std::string> lines, from_memory;
  LineReader reader(file("again", text + "\n"));
  for (std::string line; reader.next(line);) lines.push_back(line);
  Translator translator(*model_, vocabulary_, options_);
  translator.run(lines, [&](const TranslatedLine& line) {
    from_memory.push_back(vocabulary_.decode(line.translation.best().ids));
  });
  EXPECT_EQ(from_memory, from_file);
}

TEST_F(TranslateText, InvalidUtf8IsReadAsReplacementsAndCounted) {
  const auto lines = translate("a \xFF b\na b\n\xED\xA0\x80\n");
  EXPECT_EQ(lines.size(), 3U);
  EXPECT_EQ(counts_.mended, 2);
  EXPECT_NE(counts_.summary().find("2 with invalid UTF-8"), std::string::npos);
}

TEST_F(TranslateText, AnOverlongLineIsCutAndCounted) {
  options_.search.beam = 1;
  options_.search.constraints.max_length_ratio = 0;
  std::string longer;
  for (int i = 0; i < 1200; ++i) longer += "a ";
  const auto lines = translate("b\n" + longer + "\nc\n\n");
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[1].source.tokens.ids.size(), 1000U);
  EXPECT_EQ(lines[1].source.tokens_before_cut, 1200);
  EXPECT_EQ(counts_.read, 4);
  EXPECT_EQ(counts_.truncated, 1);
  EXPECT_EQ(counts_.empty, 1);
  EXPECT_EQ(counts_.summary().rfind("4 lines read, 4 written, 1 empty, 1 truncated", 0), 0U);
}

TEST_F(TranslateText, UnknownWordsAndTypedControlTokensAreText) {
  const auto lines = translate("a </s> zebra <s> b\n");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].source.tokens.ids.size(), 5U);
  EXPECT_EQ(lines[0].source.tokens.pieces[1], "</s>");
  EXPECT_EQ(lines[0].source.tokens.pieces[2], "zebra");
}

TEST(TranslateBatchwise, EveryEmptySourceGivesOneEmptyHypothesisInItsPlace) {
  auto model = random_model({});
  SearchOptions options;
  options.nbest = 3;
  const std::vector<std::vector<TokenId>> sources = {{}, {3, 4}, {}, {5}};
  const auto translations = translate_batchwise(*model, sources, options);
  ASSERT_EQ(translations.size(), 4U);
  EXPECT_EQ(translations[0].nbest.size(), 1U);
  EXPECT_EQ(translations[1].nbest.size(), 3U);
  EXPECT_EQ(translations[2].nbest.size(), 1U);
  EXPECT_EQ(translations[3].nbest.size(), 3U);
}

class ForceText : public TranslateText {
 protected:
  std::vector<ForcedLine> force(const std::string& source, const std::string& target) {
    std::vector<ForcedLine> lines;
    ForcedOptions options;
    options.attention = true;
    const TextFiles files{file("source", source), file("target", target), ""};
    forced_ = force_lines({*model_, vocabulary_, vocabulary_}, files, options,
                          [&](const ForcedLine& line) { lines.push_back(line); });
    return lines;
  }
  ForcedCounts forced_;
};

TEST_F(ForceText, GivesTheScoreOfTheTranslatorsOwnOutput) {
  const std::string source = random_text(50, 9) + "\n";
  std::string target;
  const auto translated = translate(source);
  for (const std::string& text : texts(translated)) target += text + "\n";
  const auto forced = force(source, target);
  ASSERT_EQ(forced.size(), 51U);
  for (size_t i = 0; i < forced.size(); ++i) {
    EXPECT_EQ(forced[i].id, static_cast<int64_t>(i));
    EXPECT_NEAR(forced[i].hypothesis.log_probability,
                translated[i].translation.best().log_probability, 1e-4);
  }
}

TEST_F(ForceText, EmptySidesAreCountedAndTwoOfThemScoreZero) {
  const auto lines = force("a b\n\nc\n\n", "a\n\n\nb\n");
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[1].hypothesis.log_probability, 0);
  EXPECT_TRUE(lines[1].hypothesis.attention.empty());
  EXPECT_LT(lines[2].hypothesis.log_probability, 0);  // of </s> alone
  EXPECT_EQ(lines[2].hypothesis.attention.size(), 1U);
  EXPECT_LT(lines[3].hypothesis.log_probability, 0);
  EXPECT_EQ(forced_.summary(), "4 pairs, 3 with an empty side, 0 sides truncated");
}

TEST_F(ForceText, DifferentLineCountsAreToldWithBothNumbers) {
  try {
    force("a\nb\nc\n", "a\nb\n");
    FAIL() << "nothing thrown";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("has 3 lines"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("has 2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace heed
