#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "cli/verb.h"
#include "support/temp_dir.h"

namespace heed::cli {
namespace {

class Evaluate : public testing::Test {
 private:
  test::TempDir folder_;

 protected:
  Evaluate() { start_log(); }  // signatures go to standard error, as in the program

  std::string write(const std::string& name, const std::string& content) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  static std::string output_of(const Arguments& arguments) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(run_evaluate(arguments), 0);
    return testing::internal::GetCapturedStdout();
  }

  // sacreBLEU 2.6.0: sacrebleu ref0 ref1 -i hyp -f text -w 2 gives 90.01, with ref0 alone 70.10.
  const std::string hypothesis_ = write("hyp", "The cat sat on the mat .\nThere is a dog .\n");
  const std::string reference0_ =
      write("ref0", "The cat sat on the mat .\r\nThere is a dog in the garden .\r\n");
  const std::string reference1_ = write("ref1", "The cat is sitting on the mat .\nA dog is here .");
};

TEST_F(Evaluate, PrintsTheScoreWithItsSignature) {
  EXPECT_EQ(output_of({"--hypothesis", hypothesis_, "--reference", reference0_}),
            "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:heed-0.1.0 = 70.10 "
            "100.0/90.0/87.5/83.3 (BP = 0.779 ratio = 0.800 hyp_len = 12 ref_len = 15)\n");
}

TEST_F(Evaluate, UsesAllReferences) {
  const auto output = output_of(
      {"--hypothesis", hypothesis_, "--reference", reference0_, reference1_, "--metric", "bleu"});
  EXPECT_EQ(output.find("BLEU|nrefs:2|"), 0u);
  EXPECT_NE(output.find(" = 90.01 "), std::string::npos);
}

TEST_F(Evaluate, JsonHasTheFiguresByLengthAsWell) {
  const auto json = nlohmann::json::parse(
      output_of({"--hypothesis", hypothesis_, "--reference", reference0_, "--json", "--by-length",
                 "--source", write("src", "a b c\nd e f g h i j k l m n\n")}));
  EXPECT_NEAR(json.at("score").get<double>(), 70.10, 0.005);
  ASSERT_EQ(json.at("by_length").size(), 2u);
  EXPECT_EQ(json["by_length"][0]["length"], "1-10");
  EXPECT_NEAR(json["by_length"][0]["score"].get<double>(), 100, 1e-9);
  EXPECT_EQ(json["by_length"][1]["length"], "11-20");
}

TEST_F(Evaluate, DifferentLineCountsAreAnErrorWithoutAScore) {
  testing::internal::CaptureStdout();
  EXPECT_THROW(run_evaluate({"--hypothesis", hypothesis_, "--reference", write("short", "a\n")}),
               UserError);
  EXPECT_THROW(run_evaluate({"--hypothesis", hypothesis_, "--reference", reference0_, "--source",
                             write("short", "a\n")}),
               UserError);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST_F(Evaluate, PrintsAlignmentErrorRate) {
  // A = {0-0, 1-1}, S = {0-0}, P = {0-0, 1-1, 2-2}: precision 2 / 2, recall 1 / 1, AER 1 - 3 / 3.
  const auto links = write("links", "0-0 1-1\n");
  EXPECT_EQ(
      output_of({"--links", links, "--gold", write("gold", "1-1 2p2 3p3\n"), "--gold-base", "1"}),
      "AER = 0.0000 precision = 1.0000 recall = 1.0000 F1 = 1.0000 (links = 2 sure = 1 "
      "possible = 3)\n");
  // The same counted from 0: A n S = {1-1}, A n P = {1-1}, so AER = 1 - 2 / 3.
  const auto json = nlohmann::json::parse(
      output_of({"--links", links, "--gold", write("gold", "1 1 1\n1 2 2 P\n1 3 3 P\n"),
                 "--gold-format", "naacl", "--json"}));
  EXPECT_NEAR(json.at("aer").get<double>(), 1.0 / 3, 1e-12);
  EXPECT_EQ(json.at("signature"), "gold:naacl|base:0|version:heed-" HEED_VERSION);
}

TEST_F(Evaluate, WrongUsageIsRefused) {
  EXPECT_THROW(run_evaluate({}), UsageError);
  EXPECT_THROW(run_evaluate({"--hypothesis", hypothesis_}), UsageError);
  EXPECT_THROW(run_evaluate({"--links", hypothesis_}), UsageError);
  EXPECT_THROW(run_evaluate({"--hypothesis", hypothesis_, "--links", hypothesis_}), UsageError);
  EXPECT_THROW(
      run_evaluate({"--hypothesis", hypothesis_, "--reference", reference0_, "--metric", "meteor"}),
      UsageError);
  const auto refused = [this](Arguments more) {
    Arguments all = {"--hypothesis", hypothesis_, "--reference", reference0_};
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_THROW(run_evaluate(all), UsageError);
  };
  refused({"--metric", "bleu,bleu"});
  refused({"--metric", ""});
  refused({"--metric", "bleu,ter", "--sentence-level"});
  refused({"--sentence-level", "--by-length"});
  refused({"--sentence-level", "--baseline", hypothesis_});
  refused({"--seed", "2"});
  refused({"--baseline", hypothesis_, "--significance", "t-test"});
  refused({"--baseline", hypothesis_, "--resamples", "0"});
}

TEST_F(Evaluate, SeveralMetricsPrintALineEachInTheirOrder) {
  const auto output = output_of(
      {"--hypothesis", hypothesis_, "--reference", reference0_, "--metric", "ter,chrf++,bleu"});
  EXPECT_EQ(output.find("TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|"), 0u);
  const auto chrf = output.find("\nchrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|");
  ASSERT_NE(chrf, std::string::npos);
  EXPECT_GT(output.find("\nBLEU|"), chrf);
  // 3 of 15 words are missing.
  EXPECT_NE(output.find(" = 20.00 (edits = 3 ref_len = 15.0)\n"), std::string::npos);
}

TEST_F(Evaluate, SentenceLevelPrintsOneScoreALine) {
  EXPECT_EQ(output_of({"--hypothesis", hypothesis_, "--reference", reference0_, "--metric", "ter",
                       "--sentence-level"}),
            "0.0000\n37.5000\n");
}

TEST_F(Evaluate, ABaselineIsComparedByEitherTest) {
  const auto baseline = write("base", "A cat sat on mat .\nThere is dog .\n");
  const Arguments arguments = {"--hypothesis", hypothesis_, "--reference", reference0_,
                               "--baseline",   baseline,    "--metric",    "bleu,ter"};
  const auto output = output_of(arguments);
  EXPECT_NE(output.find("TER system   = 20.00 ["), std::string::npos);
  EXPECT_NE(output.find("(lower is better) p = "), std::string::npos);
  Arguments other = arguments;
  other.insert(other.end(), {"--significance", "randomization", "--seed", "3", "--json"});
  const auto json = nlohmann::json::parse(output_of(other));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["metric"], "BLEU");
  EXPECT_EQ(json[1]["baseline"]["resamples"], 10000);
  EXPECT_EQ(json[1]["baseline"]["seed"], 3);
  EXPECT_FALSE(json[1]["baseline"].contains("interval"));
}

}  // namespace
}  // namespace heed::cli
