// heed score beside heed translate, through the program: the same log-probability for every line of
// an n-best list, of one model and of several.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "decode/saved_random_model.h"
#include "support/run_heed.h"
#include "support/split.h"
#include "text/make_vocabulary.h"

namespace heed {
namespace {

using nlohmann::json;
using test::ProgramRun;
using test::split;
using Lines = std::vector<std::string>;

constexpr size_t kLines = 40;

class Score : public ::testing::Test {
 protected:
  // Real lines and models of random numbers, whose vocabulary are the words of these lines.
  Score() {
    const Lines all = split(read_file(HEED_SOURCE_DIR "/data/bank/test.en"));
    std::set<std::string> words;
    std::string text;
    for (size_t i = 0; i < kLines; ++i) {
      text += all[i] + "\n";
      for (const std::string& word : split(all[i], ' ')) words.insert(word);
    }
    dir_.write("text", text);
    const Lines vocabulary(words.begin(), words.end());
    const auto size = static_cast<int64_t>(vocabulary.size()) + 3;
    test::save_random_model(dir_.file("a"), {.vocabulary = size}, 5, vocabulary);
    test::save_random_model(dir_.file("b"),
                            {.style = "luong", .cell = "lstm", .score = "dot", .vocabulary = size},
                            6, vocabulary);
    test::save_random_model(dir_.file("c"), {.score = "none", .vocabulary = size}, 7, vocabulary);
  }

  ProgramRun run(const std::string& words) const { return test::run_heed_in(dir_, words); }

  std::vector<double> scores(const std::string& models, const std::string& source,
                             const std::string& target) const {
    const ProgramRun done =
        run("score --model " + models + " --source " + source + " --target " + target);
    EXPECT_EQ(done.code, 0) << done.err;
    std::vector<double> numbers;
    for (const std::string& line : split(done.out)) numbers.push_back(std::stod(line));
    return numbers;
  }

  // log p of every translation in an n-best list is what the translation scores.
  void expect_nbest_scores(const std::string& models, const std::string& options) const {
    const ProgramRun done =
        run("translate --format json --nbest 5 --input @text --model " + models + " " + options);
    ASSERT_EQ(done.code, 0) << done.err;
    const Lines source = split(dir_.read("text"));
    std::string sources, targets;
    std::vector<double> expected;
    for (const std::string& line : split(done.out)) {
      const json parsed = json::parse(line);
      for (const json& one : parsed.at("translations")) {
        sources += source[parsed.at("id").get<size_t>()] + "\n";
        targets += one.at("text").get<std::string>() + "\n";
        expected.push_back(one.at("logp"));
      }
    }
    ASSERT_EQ(expected.size(), 5 * kLines);
    dir_.write("sources", sources);
    dir_.write("targets", targets);
    const auto found = scores(models, "@sources", "@targets");
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-4) << models << " " << options << ", " << i;
  }

  test::TempDir dir_;
};

TEST_F(Score, EqualsTheLogProbabilitiesOfAnNbestList) {
  for (const std::string model : {"@a", "@b", "@c"}) expect_nbest_scores(model, "--beam 5");
  expect_nbest_scores("@a", "--beam 8 --length-penalty 1 --batch-tokens 70");
  expect_nbest_scores("@b", "--sample --seed 3");
}

TEST_F(Score, OfAnEnsembleEqualsThoseOfItsNbestList) {
  for (const std::string options :
       {"", "--weights 3,1,2", "--mixture log_probability --weights 1,1,0.25"}) {
    const std::string models = "@a @b @c " + options;
    expect_nbest_scores(models, "--beam 5");
  }
}

// log p = sum of weight_i log p_i holds for whole lines as well.
TEST_F(Score, OfAMixtureOfLogarithmsIsTheMeanOfTheModels) {
  const auto mixed = scores("@a @b --weights 3,1 --mixture log_probability", "@text", "@text");
  const auto a = scores("@a", "@text", "@text"), b = scores("@b", "@text", "@text");
  ASSERT_EQ(mixed.size(), kLines);
  for (size_t i = 0; i < kLines; ++i) EXPECT_NEAR(mixed[i], 0.75 * a[i] + 0.25 * b[i], 1e-4);
}

// Token by token p = (p_a + p_b) / 2.
TEST_F(Score, OfAMixtureOfProbabilitiesIsBetweenItsModels) {
  const auto mixed = scores("@a @b", "@text", "@text");
  const auto a = scores("@a", "@text", "@text"), b = scores("@b", "@text", "@text");
  const Lines text = split(dir_.read("text"));
  for (size_t i = 0; i < mixed.size(); ++i) {
    const auto tokens = static_cast<double>(split(text[i], ' ').size() + 1);
    EXPECT_GE(mixed[i], (a[i] + b[i]) / 2 - 1e-4) << "the mean of p is above that of log p";
    EXPECT_GE(mixed[i], std::max(a[i], b[i]) - tokens * std::log(2.0) - 1e-4)
        << "half of each model's p is always in it";
  }
}

// A model of random numbers finds subwords that are not those which its text would be cut into.
TEST_F(Score, OfPiecesIsThatOfTheNbestListWhateverTheCut) {
  VocabularyOptions options;
  options.size = 60;
  const auto subwords = train_vocabulary({dir_.file("text")}, options);
  const auto model = test::random_model({.vocabulary = subwords->size()});
  Config config;
  config.model = model->config();
  config.decode.max_length_ratio = 1;
  save_model(dir_.file("s"), {config, *subwords, *subwords, *model}, {});
  const ProgramRun done = run("translate --format json --nbest 3 --input @text --model @s");
  ASSERT_EQ(done.code, 0) << done.err;
  const Lines source = split(dir_.read("text"));
  std::string sources, pieces, texts;
  std::vector<double> expected;
  for (const std::string& line : split(done.out)) {
    const json parsed = json::parse(line);
    for (const json& one : parsed.at("translations")) {
      sources += source[parsed.at("id").get<size_t>()] + "\n";
      texts += one.at("text").get<std::string>() + "\n";
      const auto tokens = one.at("tokens").get<Lines>();
      for (size_t t = 0; t + 1 < tokens.size(); ++t) pieces += tokens[t] + " ";
      pieces += "\n";
      expected.push_back(one.at("logp"));
    }
  }
  dir_.write("sources", sources);
  dir_.write("pieces", pieces);
  dir_.write("texts", texts);
  const auto found = scores("@s --pieces", "@sources", "@pieces");
  const auto of_texts = scores("@s", "@sources", "@texts");
  ASSERT_EQ(found.size(), expected.size());
  double farthest = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-4) << i;
    farthest = std::max(farthest, std::abs(of_texts[i] - expected[i]));
  }
  EXPECT_GT(farthest, 0.1) << "all texts were cut as they were found, so that nothing is tested";
  dir_.write("wrong", "nothing-of-it\n");
  dir_.write("one", "a\n");
  const ProgramRun wrong = run("score --model @s --pieces --source @one --target @wrong");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("wrong:1: 'nothing-of-it' is not a token of the target vocabulary"),
            std::string::npos)
      << wrong.err;
}

TEST_F(Score, TheSummaryOfAnEnsembleIsThatOfItsLines) {
  const ProgramRun done = run("score --model @a @b --source @text --target @text --json");
  ASSERT_EQ(done.code, 0) << done.err;
  double sum = 0;
  for (const double log_p : scores("@a @b", "@text", "@text")) sum += log_p;
  EXPECT_NEAR(json::parse(done.out).at("log_probability").get<double>(), sum, 1e-3);
}

TEST_F(Score, WrongEnsemblesAreToldAsInTranslation) {
  test::save_random_model(dir_.file("other"));
  const std::string files = " --source @text --target @text";
  const ProgramRun done = run("score --model @a @other" + files);
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("source vocabulary is not that of"), std::string::npos) << done.err;
  EXPECT_EQ(run("score --model @a @b --weights 1" + files).code, 2);
  EXPECT_EQ(run("score --model @a --source @text --target @text --output @text").code, 2);
  EXPECT_EQ(split(dir_.read("text")).size(), kLines);
}

}  // namespace
}  // namespace heed
