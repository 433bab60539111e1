// heed explain through the program, with a small model of random parameters.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "decode/saved_random_model.h"
#include "support/run_heed.h"

namespace heed {
namespace {

using Json = nlohmann::json;
using test::ProgramRun;
using test::run_heed;
using test::run_heed_in;

std::vector<Json> json_lines(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

class ExplainVerb : public testing::Test {
 protected:
  ExplainVerb() {
    test::save_random_model(dir_.file("m"));
    dir_.write("s", "a b c\n\nd\ne f g a\n");
    dir_.write("t", "b a\n\n\na b c d e\n");
  }

  ProgramRun run(const std::string& arguments) const { return run_heed_in(dir_, arguments); }
  ProgramRun explain(const std::string& options) const {
    return run("explain --model @m --source @s --target @t " + options);
  }
  std::vector<Json> dump(const std::string& options) const {
    const ProgramRun result = explain("--output @d " + options);
    EXPECT_EQ(result.code, 0) << result.err;
    return json_lines(dir_.read("d"));
  }
  double score(const std::string& source, const std::string& target) const {
    dir_.write("s1", source + "\n");
    dir_.write("t1", target + "\n");
    return std::stod(run("score --model @m --source @s1 --target @t1").out);
  }

  test::TempDir dir_;
};

TEST_F(ExplainVerb, WritesAMatrixOfEachMethodForEachPair) {
  const auto lines = dump("--steps 3");
  ASSERT_EQ(lines.size(), 4U);
  for (const char* method : {"attention", "gradient", "integrated", "erasure"}) {
    EXPECT_TRUE(lines[1].at(method).empty());  // two empty sides
    for (const size_t i : {size_t{0}, size_t{2}, size_t{3}}) {
      ASSERT_EQ(lines[i].at(method).size(), lines[i]["target"].size()) << method;
      for (const Json& row : lines[i][method]) EXPECT_EQ(row.size(), lines[i]["source"].size());
    }
  }
  EXPECT_EQ(lines[0]["source"], Json({"a", "b", "c", "</s>"}));
}

TEST_F(ExplainVerb, AttentionAndScoreAreThoseOfAlign) {
  const auto lines = dump("--method attention");
  ASSERT_EQ(run("align --model @m --source @s --target @t --attention @a").code, 0);
  EXPECT_EQ(dir_.read("d"), dir_.read("a"));
}

TEST_F(ExplainVerb, ErasureIsTheDifferenceToTheScoreOfTheShortenedSentence) {
  const auto lines = dump("--method erasure");
  const double whole = score("a b c", "b a");
  const std::vector<std::string> without = {"b c", "a c", "a b"};
  for (size_t s = 0; s < without.size(); ++s) {
    double sum = 0;
    for (const Json& row : lines[0]["erasure"]) sum += row[s].get<double>();
    EXPECT_NEAR(sum, whole - score(without[s], "b a"), 1e-5);
  }
}

TEST_F(ExplainVerb, NoBatchSizeChangesTheMatrices) {
  const auto lines = dump("--steps 4"), small = dump("--steps 4 --batch-tokens 1 --threads 1");
  for (size_t i = 0; i < lines.size(); ++i)
    for (const char* method : {"gradient", "integrated", "erasure"})
      for (size_t t = 0; t < lines[i][method].size(); ++t)
        for (size_t s = 0; s < lines[i][method][t].size(); ++s)
          EXPECT_NEAR(lines[i][method][t][s].get<double>(), small[i][method][t][s].get<double>(),
                      1e-4);
}

TEST_F(ExplainVerb, TellsHowMethodsAgree) {
  const Json json = Json::parse(explain("--steps 2 --json").out);
  EXPECT_EQ(json["pairs"], 4);
  EXPECT_EQ(json["erase"], "remove");
  EXPECT_EQ(json["rank_correlation"].size(), 6U);
  EXPECT_EQ(json["rank_correlation"][0]["methods"], Json({"attention", "gradient"}));
  EXPECT_EQ(json["rank_correlation"][0]["rows"], 9);  // 3 of the first pair, 6 of the last
  EXPECT_EQ(json["top_as_by_erasure"].size(), 3U);
  EXPECT_EQ(json["top_as_by_erasure"][0]["rows"], 9);
  const std::string table = explain("--method gradient,erasure").out;
  EXPECT_NE(table.find("gradient - erasure"), std::string::npos) << table;
  EXPECT_NE(table.find("top source as by erasure"), std::string::npos) << table;
}

TEST_F(ExplainVerb, WithoutAttentionTheOtherMethodsRemain) {
  test::save_random_model(dir_.file("m"), {.score = "none"});
  const auto lines = dump("--steps 2");
  EXPECT_FALSE(lines[0].contains("attention"));
  EXPECT_EQ(lines[0]["erasure"].size(), 3U);
  const ProgramRun refused = explain("--method attention,erasure");
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("has no attention"), std::string::npos) << refused.err;
}

TEST_F(ExplainVerb, EveryMatrixCanBeDrawn) {
  dump("--steps 2 --erase zero");
  for (const char* matrix : {"attention", "gradient", "integrated", "erasure"}) {
    const ProgramRun drawn =
        run("plot @d --lines 1 --output @picture.svg --matrix " + std::string(matrix));
    EXPECT_EQ(drawn.code, 0) << drawn.err;
  }
}

TEST_F(ExplainVerb, EightBitModelsAreExplainedInSinglePrecision) {
  ASSERT_EQ(run("quantize --model @m --output @q").code, 0);
  const ProgramRun result = run("explain --model @q --source @s --target @t --steps 2");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(explain("--precision int8").code, 2);
}

TEST_F(ExplainVerb, MistakesAreToldInOneLine) {
  const ProgramRun unknown = explain("--method gradient,lime");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("--method: 'lime' is not one of: attention, gradient, integrated, "
                             "erasure"),
            std::string::npos)
      << unknown.err;
  EXPECT_EQ(explain("--output -").code, 2);
  EXPECT_EQ(explain("--output @s").code, 2);
  EXPECT_EQ(explain("--steps 0").code, 2);
  dir_.write("t", "only one line\n");
  const ProgramRun uneven = explain("--output @never");
  EXPECT_EQ(uneven.code, 1);
  EXPECT_FALSE(std::filesystem::exists(dir_.file("never")));
}

}  // namespace
}  // namespace heed
