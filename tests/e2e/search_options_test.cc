// The options of translate that change what is searched and how it is written, through the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "decode/saved_random_model.h"
#include "support/run_heed.h"
#include "support/split.h"

namespace heed {
namespace {

using nlohmann::json;
using test::ProgramRun;
using test::split;
using Lines = std::vector<std::string>;

class SearchVerb : public ::testing::Test {
 protected:
  SearchVerb() {
    test::save_random_model(dir_.file("m"));
    test::save_random_model(dir_.file("m2"), {.style = "luong", .cell = "lstm"}, 8);
    dir_.write("text", "a b c\n\nd\nzebra a\ne f g h i a b\n");
  }

  // Options with paths as @NAME.
  ProgramRun run(const std::string& words) const { return test::run_heed_in(dir_, words); }
  ProgramRun translate(const std::string& options) const {
    return run("translate --model @m --input @text " + options);
  }
  Lines lines(const std::string& options) const {
    const ProgramRun done = translate(options);
    EXPECT_EQ(done.code, 0) << options << "\n" << done.err;
    return split(done.out);
  }
  void expect_error(const ProgramRun& done, const std::string& part, int code = 1) const {
    EXPECT_EQ(done.code, code) << part;
    EXPECT_EQ(done.out, "");
    EXPECT_NE(done.err.find(part), std::string::npos) << done.err;
  }

  test::TempDir dir_;
};

TEST_F(SearchVerb, JsonHasAllThatTheOtherFormatsHave) {
  const Lines plain = lines("--scores --links @links"), all = lines("--format json --nbest 3");
  const Lines links = split(dir_.read("links")), nbest = lines("--nbest 3");
  ASSERT_EQ(all.size(), 5U);
  size_t of_nbest = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const json line = json::parse(all[i]);
    EXPECT_EQ(line.at("id"), i);
    const json& best = line.at("translations").at(0);
    const double logp = best.at("logp");
    EXPECT_EQ(best.at("text").get<std::string>(), plain[i].substr(plain[i].find('\t') + 1));
    EXPECT_NEAR(logp, std::stod(plain[i]), 1e-4);
    EXPECT_EQ(best.at("links").get<std::string>(), i < links.size() ? links[i] : "");
    for (const json& one : line.at("translations")) {
      double sum = 0;
      for (const double token : one.at("token_logp")) sum += token;
      EXPECT_NEAR(sum, one.at("logp"), 1e-5);
      EXPECT_EQ(one.at("tokens").size(), one.at("token_logp").size());
      EXPECT_EQ(one.at("attention").size(), one.at("target").size());
      EXPECT_NE(nbest.at(of_nbest++).find("||| " + one.at("text").get<std::string>() + " |||"),
                std::string::npos);
    }
  }
  EXPECT_EQ(of_nbest, nbest.size());
  const json empty = json::parse(all[1]);
  EXPECT_EQ(empty.at("translations").at(0).at("text"), "");
  EXPECT_EQ(empty.at("source"), json::array());
  EXPECT_EQ(json::parse(all[3]).at("source").at(0), "zebra");
}

TEST_F(SearchVerb, LengthsAndRepetitionsAreWhatIsAskedFor) {
  for (const std::string& line : lines("--min-length 5 --max-length 6")) {
    const size_t length = split(line, ' ').size();
    EXPECT_TRUE(line.empty() || length == 5 || length == 6) << line;
  }
  for (const std::string& line : lines("--max-length 2")) EXPECT_LE(split(line, ' ').size(), 2U);
  for (const std::string& line : lines("--block-ngram 1 --min-length-ratio 1")) {
    const Lines words = split(line, ' ');
    EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), words.size()) << line;
  }
}

TEST_F(SearchVerb, ScoresAreThoseOfTheRanking) {
  const auto number = [](const std::string& line, const std::string& before) {
    return std::stod(line.substr(line.find(before) + before.size()));
  };
  for (const std::string& line :
       lines("--nbest 5 --length-penalty-form power --length-penalty 1 --word-reward 0.5")) {
    const std::string text = line.substr(line.find("||| ") + 4, line.find(" ||| logp=") - 6);
    const size_t words = line.find("|||  |||") != std::string::npos ? 0 : split(text, ' ').size();
    if (words == 0) continue;
    const double n = static_cast<double>(words) + 1;  // </s>
    EXPECT_NEAR(number(line, "logp= ") / n + 0.5 * n, std::stod(line.substr(line.rfind(' '))), 2e-4)
        << line;
  }
}

TEST_F(SearchVerb, TranslationsBeginWithTheirPrefix) {
  dir_.write("prefix", "b a\n\nc\n\na a a\n");
  const Lines found = lines("--prefix @prefix"), prefixes = split(dir_.read("prefix"));
  ASSERT_EQ(found.size(), 5U);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].rfind(prefixes[i], 0), 0U) << i;
  EXPECT_EQ(found[3], lines("")[3]) << "an empty prefix changes nothing";
  dir_.write("short", "a\nb\n");
  expect_error(translate("--prefix @short"), "short: it ends after 2 lines");
  dir_.write("long", "a\n\n\n\n\n\n");
  const ProgramRun longer = translate("--prefix @long --output @never");
  expect_error(longer, "long: it has more than the 5 lines of the input");
  dir_.write("unknown", "b a\n\nzebra c zebra\nzebra\nc\n");
  const ProgramRun unknown = translate("--prefix @unknown");
  EXPECT_EQ(unknown.code, 0);
  EXPECT_NE(unknown.err.find("unknown: 3 tokens (first: line 3) are not in the target vocabulary"),
            std::string::npos)
      << unknown.err;
  expect_error(run("translate --model @m --prefix - </dev/null"), "standard input", 2);
}

TEST_F(SearchVerb, ASampleDependsOnTheSeedAndTheLineAlone) {
  const std::string sample = "--sample --nbest 2 --seed 7 ";
  const std::string expected = translate(sample).out;
  for (const char* options : {"--batch-tokens 1", "--batch-tokens 7", "--threads 1", "--threads 2"})
    EXPECT_EQ(translate(sample + options).out, expected) << options;
  EXPECT_NE(translate("--sample --nbest 2 --seed 8").out, expected);
  Lines text = split(dir_.read("text")), drawn = lines("--sample --seed 7");
  std::reverse(text.begin(), text.end());
  std::reverse(drawn.begin(), drawn.end());
  std::string reversed;
  for (const std::string& line : text) reversed += line + "\n";
  dir_.write("reversed", reversed);
  EXPECT_EQ(split(run("translate --model @m --sample --seed 7 --input @reversed").out), drawn);
  EXPECT_EQ(lines("--sample --top-k 1"), lines("--beam 1"));
}

TEST_F(SearchVerb, WrongSamplingIsToldInOneLine) {
  expect_error(translate("--temperature 2"), "--temperature needs --sample", 2);
  expect_error(translate("--top-k 2"), "--top-k needs --sample", 2);
  expect_error(translate("--top-p 0.5"), "--top-p needs --sample", 2);
  expect_error(translate("--seed 5"), "--seed needs --sample", 2);
  expect_error(translate("--sample --beam 3"), "leave out --beam", 2);
  expect_error(translate("--sample --temperature 0"),
               "--temperature: 0 is not allowed: it must be >= 0.001", 2);
  expect_error(translate("--min-length 7 --max-length 6"),
               "--min-length 7 is above --max-length 6");
  expect_error(translate("--length-penalty 1e30"), "--length-penalty: 1e30 is not allowed", 2);
  expect_error(translate("--sample --top-p 0"),
               "--top-p: 0 is not allowed: it must be > 0 and <= 1", 2);
  expect_error(translate("--sample --top-p 1.5"),
               "--top-p: 1.5 is not allowed: it must be > 0 and <= 1", 2);
}

TEST_F(SearchVerb, AnEnsembleOfOneModelTwiceIsThatModel) {
  const std::string of_two = "translate --input @text --scores --model @m @";
  EXPECT_EQ(run(of_two + "m").out, run("translate --input @text --scores --model @m").out);
  EXPECT_NE(run(of_two + "m2").out, run("translate --input @text --scores --model @m").out);
  // With nearly all the weight it is that model.
  EXPECT_EQ(run(of_two + "m2 --weights 1,1e-9").out,
            run("translate --input @text --scores --model @m").out);
  EXPECT_NE(run(of_two + "m2 --mixture log_probability").out, run(of_two + "m2").out);
}

TEST_F(SearchVerb, ModelsOfAnEnsembleNeedTheSameVocabularies) {
  test::save_random_model(dir_.file("other"), {}, 5, {"a", "b", "c", "d", "e", "f", "g", "h", "x"});
  expect_error(
      run("translate --input @text --model @m @other"),
      "source vocabulary is not that of " + dir_.file("m") + " (entry 11 is 'x', not 'i')");
  expect_error(translate("--weights 1,2"), "--weights has 2 numbers for 1 models", 2);
  expect_error(translate("--weights 0"), "'0' is not a number above 0", 2);
}

TEST_F(SearchVerb, UnknownWordsAreReplacedThroughAttention) {
  auto model = test::random_model({});
  for (Parameter& p : model->parameters().parameters())
    if (p.name == "output.bias") p.value.data[kUnknown] = 100;  // it says nothing else
  test::save_random_model(dir_.file("m"), *model, test::letters());
  dir_.write("dictionary", "zebra Zebra\nd DE\n");
  const Lines text = split(dir_.read("text"));
  const Lines found = lines("--beam 1 --replace-unknown --dictionary @dictionary");
  ASSERT_EQ(found.size(), text.size());
  EXPECT_EQ(split(found[2], ' ')[0], "DE");
  for (size_t i = 0; i < text.size(); ++i) {
    const Lines words = split(text[i], ' ');
    for (const std::string& word : split(found[i], ' ')) {
      const std::string source = word == "DE" ? "d" : word == "Zebra" ? "zebra" : word;
      EXPECT_NE(std::find(words.begin(), words.end(), source), words.end()) << word;
    }
  }
  expect_error(translate("--dictionary @dictionary"), "--dictionary needs --replace-unknown", 2);
  dir_.write("bad", "a b\nc\n");
  expect_error(translate("--replace-unknown --dictionary @bad"), "bad:2: needs the two words");
}

TEST_F(SearchVerb, TheRateOfUnknownPiecesIsTold) {
  EXPECT_NE(translate("").err.find("1 of 13 source pieces unknown (7.69 %)"), std::string::npos)
      << translate("").err;
}

TEST_F(SearchVerb, InteractiveAnswersAreTheSame) { EXPECT_EQ(lines("--interactive"), lines("")); }

TEST_F(SearchVerb, TheMeanOfModelsIsTheMeanOfTheirWeights) {
  test::save_random_model(dir_.file("m3"), {}, 6);
  ASSERT_EQ(run("average @m @m3 @m --output @mean").code, 0);
  const LoadedModel a = load_model(dir_.file("m")), b = load_model(dir_.file("m3")),
                    mean = load_model(dir_.file("mean"));
  const Tensor x = a.model->parameters().values(), y = b.model->parameters().values(),
               z = mean.model->parameters().values();
  for (int64_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(z.data[i], (2 * x.data[i] + y.data[i]) / 3, 1e-6);
  const auto mean_json = nlohmann::json::parse(run("inspect --json @mean").out).at("provenance");
  EXPECT_EQ(mean_json.at("mean_of").size(), 3U);
  EXPECT_EQ(mean_json.at("mean_of")[1].at("updates"), 0);
  EXPECT_FALSE(mean_json.contains("best_value"));
  EXPECT_NE(run("inspect @mean").out.find("mean of 3 checkpoints"), std::string::npos);
  expect_error(run("average @m --output @no"), "is the only model", 2);
  expect_error(run("average @m @m --output @no"), "is the only model", 2);
  LoadedModel other = load_model(dir_.file("m3"));
  other.config.run.seed = 9;
  save_model(dir_.file("seed9"),
             {other.config, *other.source_vocabulary, *other.target_vocabulary, *other.model}, {});
  const ProgramRun seeds = run("average @m @seed9 --output @no");
  expect_error(seeds, dir_.file("seed9") + ": its seed is 9, that of " + dir_.file("m") + " is 1");
  expect_error(seeds, "heed translate --model");
  expect_error(run("average @m @m2 --output @no"), "only models of one kind have a mean");
  expect_error(run("average @m --output @m"), "are the same file", 2);
  expect_error(run("average @m @text --output @no"), dir_.file("text"));
}

TEST_F(SearchVerb, FormatsThatDontGoTogetherAreWrongUsage) {
  expect_error(translate("--nbest 2 --format text"), "--nbest and --format text", 2);
  expect_error(translate("--scores --format json"), "--scores is for --format text", 2);
  expect_error(translate("--format yaml"), "yaml", 2);
  test::save_random_model(dir_.file("m"), {.score = "none"});
  expect_error(translate("--coverage-penalty 0.5"), "which a coverage penalty needs");
  expect_error(translate("--replace-unknown"), "which --replace-unknown needs");
}

}  // namespace
}  // namespace heed
