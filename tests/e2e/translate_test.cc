// translate, align and score through the program, with a small model of random parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "decode/saved_random_model.h"
#include "support/run_heed.h"
#include "support/split.h"
#include "tensor/kernels/kernels.h"
#include "train/safetensors.h"

namespace heed {
namespace {

using test::ProgramRun;
using test::run_heed;
using test::split;
using Lines = std::vector<std::string>;

class Verbs : public ::testing::Test {
 protected:
  Verbs() { model_ = save("model.heed", "additive"); }

  std::string save(const std::string& name, const std::string& score) const {
    const std::string path = dir_.path() + "/" + name;
    test::save_random_model(path, {.score = score});
    return path;
  }

  std::string file(const std::string& name, const std::string& content) const {
    const std::string path = dir_.path() + "/" + name;
    write_file(path, content);
    return path;
  }
  std::string path(const std::string& name) const { return dir_.path() + "/" + name; }

  ProgramRun translate(const std::string& options, const std::string& text) const {
    return run_heed("translate --model " + model_ + " " + options + " <" + file("in", text));
  }

  // The one line of an error, exit code 1.
  static void expect_error(const ProgramRun& run, const std::string& part) {
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(run.out, "");
    const Lines lines = split(run.err);
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines.back().rfind("heed: ", 0), 0U) << run.err;
    EXPECT_NE(lines.back().find(part), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), static_cast<int64_t>(lines.size()));
  }

  test::TempDir dir_;
  std::string model_;
};

const char* const kText = "a b c\n\nd\n \nzebra a\ne f g h i a b\n";  // 6 lines, 2 of them blank

TEST_F(Verbs, NeverReplaceWhatTheyRead) {
  const std::string text = file("text", kText), model = read_file(model_);
  for (const std::string& words :
       {"translate --model " + model_ + " --input " + text + " --output " + text,
        "translate --model " + model_ + " --input " + text + " --links " + text,
        "align --model " + model_ + " --source " + text + " --target " + text + " --attention " +
            text,
        "quantize --model " + model_ + " --output " + model_}) {
    const ProgramRun run = run_heed(words);
    EXPECT_EQ(run.code, 2) << words;
    EXPECT_NE(run.err.find("are the same file"), std::string::npos) << run.err;
  }
  EXPECT_TRUE(read_file(model_) == model);
  EXPECT_EQ(read_file(text), kText);
}

TEST_F(Verbs, QuantizedModelsTranslateAsInt8ProductsDo) {
  ASSERT_EQ(run_heed("quantize --model " + model_ + " --output " + path("small.heed")).code, 0);
  const std::string in = " --scores <" + file("in", kText);
  const ProgramRun small = run_heed("translate --model " + path("small.heed") + in);
  ASSERT_EQ(small.code, 0) << small.err;
  if (!kernels::is_native(kernels::Precision::int8)) return;
  const ProgramRun whole = run_heed("translate --precision int8 --model " + model_ + in);
  const Lines left = split(small.out), right = split(whole.out);
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i)
    EXPECT_EQ(left[i].substr(left[i].find('\t')), right[i].substr(right[i].find('\t')));
  EXPECT_NE(small.err.find("int8"), std::string::npos) << small.err;
  EXPECT_NE(run_heed("inspect " + path("small.heed"))
                .out.find("precision: int8 weights, run.precision f32\n"),
            std::string::npos);
  const ProgramRun again =
      run_heed("quantize --model " + path("small.heed") + " --output " + path("again.heed"));
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("has 8-bit weights already"), std::string::npos) << again.err;
  const ProgramRun mean =
      run_heed("average " + model_ + " " + path("small.heed") + " --output " + path("mean.heed"));
  EXPECT_EQ(mean.code, 0);
  EXPECT_NE(mean.err.find("small.heed has 8-bit weights"), std::string::npos) << mean.err;
}

TEST_F(Verbs, AModelOfUnknownPrecisionIsToldByItsName) {
  Metadata metadata = SafetensorsFile(model_).metadata();
  metadata["precision"] = "int9";
  std::vector<NamedTensor> tensors;
  const LoadedModel loaded = load_model(model_);
  for (const Parameter& p : loaded.model->parameters().parameters())
    tensors.push_back({p.name, p.value});
  write_safetensors(path("newer.heed"), metadata, tensors);
  const ProgramRun run = run_heed("translate --model " + path("newer.heed") + " </dev/null");
  expect_error(run, path("newer.heed") + ": precision 'int9' is unknown");
}

TEST_F(Verbs, TranslateGivesOneLineForEachAndASummary) {
  const ProgramRun run = translate("", kText);
  EXPECT_EQ(run.code, 0) << run.err;
  const Lines lines = split(run.out);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[1], "");
  EXPECT_EQ(lines[3], "");
  EXPECT_NE(lines[0], "");
  EXPECT_NE(run.err.find("6 lines read, 6 written, 2 empty, 0 truncated"), std::string::npos);
  EXPECT_NE(run.err.find("beam 5, length penalty 0.6"), std::string::npos) << run.err;
}

TEST_F(Verbs, TranslateOfNothingIsNothing) {
  const ProgramRun run = translate("", "");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "");
}

TEST_F(Verbs, InputFromFilePipeAndStandardInputIsTheSame) {
  const std::string input = file("text", kText);
  const std::string expected = translate("", kText).out;
  EXPECT_EQ(run_heed("translate --model " + model_ + " --input " + input).out, expected);
  EXPECT_EQ(run_heed("translate --model " + model_ + " --input - <" + input).out, expected);
  EXPECT_EQ(run_heed("translate --model " + model_ + " --input /dev/stdin --output " + path("out") +
                     " <" + input)
                .code,
            0);
  EXPECT_EQ(read_file(path("out")), expected);
}

TEST_F(Verbs, NoBatchSizeOrNumberOfThreadsChangesTheText) {
  const std::string expected = translate("--beam 4 --scores", kText).out;
  for (const char* options : {"--batch-tokens 1", "--batch-tokens 7", "--threads 1", "--threads 2"})
    EXPECT_EQ(translate(std::string("--beam 4 --scores ") + options, kText).out, expected);
}

TEST_F(Verbs, NbestHasEveryLineNumberAndFallingScores) {
  const Lines lines = split(translate("--beam 4 --nbest 3", kText).out);
  ASSERT_EQ(lines.size(), 4 * 3 + 2U);
  EXPECT_EQ(lines[3], "1 |||  ||| logp= 0.0000 ||| 0.0000");
  double before = 0;
  int64_t id_before = -1;
  for (const std::string& line : lines) {
    const int64_t id = std::stoll(line);
    const double score = std::stod(line.substr(line.rfind("||| ") + 4));
    EXPECT_TRUE(id == id_before ? score <= before : id == id_before + 1) << line;
    before = score;
    id_before = id;
  }
  EXPECT_EQ(id_before, 5);
}

TEST_F(Verbs, ScoreEqualsTheTranslatorsScore) {
  const Lines scored = split(translate("--scores", kText).out);
  std::string texts;
  for (const std::string& line : scored) texts += line.substr(line.find('\t') + 1) + "\n";
  const ProgramRun run = run_heed("score --summary --model " + model_ + " --source " +
                                  file("source", kText) + " --target " + file("target", texts));
  const Lines scores = split(run.out);
  ASSERT_EQ(scores.size(), scored.size()) << run.err;
  for (size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(std::stod(scores[i]), std::stod(scored[i]), 1e-4 + 5e-5);
  EXPECT_NE(run.err.find("perplexity"), std::string::npos);
}

TEST_F(Verbs, ScoreTellsTheFiguresOfTheTextAsJson) {
  const std::string arguments = "score --model " + model_ + " --source " + file("s", "a b\n\nc\n") +
                                " --target " + file("t", "d\n\ne f\n");
  const Lines scores = split(run_heed(arguments).out);
  const auto json = nlohmann::json::parse(run_heed(arguments + " --json").out);
  EXPECT_EQ(json.at("pairs"), 3);
  EXPECT_EQ(json.at("target_tokens"), 5);  // d </s>, e f </s>
  const double sum = std::stod(scores[0]) + std::stod(scores[2]);
  EXPECT_NEAR(json.at("log_probability").get<double>(), sum, 1e-5);
  EXPECT_NEAR(json.at("perplexity").get<double>(), std::exp(-sum / 5), 1e-4);
  EXPECT_EQ(scores[1], "0.000000");
}

TEST_F(Verbs, AttentionAndLinksBelongToThePrintedText) {
  const ProgramRun run = translate("--scores --attention " + path("a.jsonl") + " --links " +
                                       path("l") + " --output " + path("out"),
                                   kText);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  const Lines texts = split(read_file(path("out"))), dump = split(read_file(path("a.jsonl"))),
              links = split(read_file(path("l")));
  ASSERT_EQ(dump.size(), 6U);
  ASSERT_EQ(links.size(), 6U);
  for (size_t i = 0; i < 6; ++i) {
    const auto json = nlohmann::json::parse(dump[i]);
    EXPECT_EQ(json.at("id"), i);
    std::string text;
    const auto target = json.at("target").get<Lines>();
    for (size_t t = 0; t + 1 < target.size(); ++t) text += (t > 0 ? " " : "") + target[t];
    EXPECT_EQ(text, texts[i].substr(texts[i].find('\t') + 1));
    EXPECT_NEAR(json.at("score").get<double>(), std::stod(texts[i]), 1e-4);
    EXPECT_EQ(json.at("attention").size(), target.size());
    for (const auto& row : json.at("attention")) {
      EXPECT_EQ(row.size(), json.at("source").size());
      double sum = 0;
      for (const auto& weight : row) sum += weight.get<double>();
      EXPECT_NEAR(sum, 1, 1e-4);
    }
  }
  EXPECT_EQ(nlohmann::json::parse(dump[4]).at("source").at(0), "zebra");
  EXPECT_EQ(links[1], "");
}

TEST_F(Verbs, AlignOfTheTranslatorsOutputGivesItsLinks) {
  translate("--links " + path("l") + " --output " + path("out") + " --attention " + path("a"),
            kText);
  const std::string pairs = " --source " + path("in") + " --target " + path("out");
  EXPECT_EQ(run_heed("align --model " + model_ + pairs).out, read_file(path("l")));
  const ProgramRun run =
      run_heed("align --words --model " + model_ + pairs + " --attention " + path("b"));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  const Lines found = split(read_file(path("a"))), forced = split(read_file(path("b")));
  ASSERT_EQ(found.size(), forced.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const auto a = nlohmann::json::parse(found[i]), b = nlohmann::json::parse(forced[i]);
    EXPECT_EQ(a.at("source"), b.at("source"));
    EXPECT_EQ(a.at("target"), b.at("target"));
  }
}

TEST_F(Verbs, NbestAndAlignmentsCombine) {
  const ProgramRun run = translate("--beam 3 --nbest 2 --words --links " + path("l"), kText);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(split(run.out).size(), 10U);
  EXPECT_EQ(split(read_file(path("l"))).size(), 6U);
}

TEST_F(Verbs, MistakesAreToldInOneLine) {
  expect_error(translate("--beam 2 --nbest 3", kText), "--nbest 3 needs a --beam of at least 3");
  expect_error(run_heed("translate --model " + path("none")), path("none"));
  expect_error(run_heed("translate --model " + file("text", "no model") + " </dev/null"),
               path("text"));
  expect_error(run_heed("translate --model " + model_ + " --input " + path("none")), path("none"));
  expect_error(run_heed("translate --model " + model_ + " --output /nowhere/at/all </dev/null"),
               "/nowhere/at/all");
  expect_error(translate("--device gpu", kText), "GPU");
  expect_error(run_heed("score --model " + model_ + " --source " + file("s", "a\nb\nc\n") +
                        " --target " + file("t", "a\nb\n") + " --output " + path("never")),
               "has 3 lines");
  EXPECT_FALSE(std::filesystem::exists(path("never")));  // of a failed run, no half result
}

TEST_F(Verbs, AModelWithoutAttentionRefusesAlignments) {
  const std::string without = save("without.heed", "none");
  expect_error(run_heed("translate --links l --model " + without + " </dev/null"), "no attention");
  expect_error(run_heed("align --model " + without + " --source " + file("s", "a\n") +
                        " --target " + path("s")),
               "no attention");
  EXPECT_EQ(run_heed("translate --model " + without + " <" + file("s", "a b\n")).code, 0);
}

TEST_F(Verbs, WrongUsageIsExitTwo) {
  EXPECT_EQ(translate("--words", kText).code, 2);
  EXPECT_EQ(translate("--links -", kText).code, 2);
  EXPECT_EQ(translate("--beam 0", kText).code, 2);
  EXPECT_EQ(translate("--beam 9223372036854775807", kText).code, 2);
  EXPECT_EQ(translate("--nbest 1001", kText).code, 2);
  EXPECT_EQ(translate("--length-penalty -1", kText).code, 2);
  EXPECT_EQ(run_heed("translate").code, 2);
  EXPECT_EQ(run_heed("align --model " + model_).code, 2);
}

// A program that writes a line and waits for its translation before it writes the next.
TEST_F(Verbs, EachLineIsAnsweredBeforeTheNextIsRead) {
  const std::string script =
      file("script", "coproc HEED { " HEED_BINARY_DIR "/heed translate --model " + model_ +
                         "; }\n"
                         "for line in 'a b' 'c' 'd e f'; do\n"
                         "  echo \"$line\" >&${HEED[1]}\n"
                         "  read -r -t 60 answer <&${HEED[0]} || exit 1\n"
                         "  echo \"$answer\"\n"
                         "done\n");
  const std::string command = "bash " + script + " >" + path("answers") + " 2>" + path("err");
  ASSERT_EQ(std::system(command.c_str()), 0) << read_file(path("err"));
  EXPECT_EQ(read_file(path("answers")), translate("", "a b\nc\nd e f\n").out);
}

}  // namespace
}  // namespace heed
