// The reports of heed evaluate, as text, as JSON and as pictures, and links out of range.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "cli/verb.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed::cli {
namespace {

using Json = nlohmann::json;

class EvaluateReports : public testing::Test {
 private:
  test::TempDir dir_;

 protected:
  EvaluateReports() { start_log(); }  // warnings go to standard error, as in the program

  // The words of tests/eval/word_reports_test.cc.
  const std::string hypothesis_ = dir_.write("hyp", "a a b d\nc e\n");
  const std::string reference_ = dir_.write("ref", "a b b c\nc d\n");
  const std::string training_ = dir_.write("train", "a a a\na c\nz a a b b\n");

  static std::string output_of(const Arguments& arguments) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(run_evaluate(arguments), 0);
    return testing::internal::GetCapturedStdout();
  }
  Arguments texts(const Arguments& more) const {
    Arguments all = {"--hypothesis", hypothesis_, "--reference", reference_, "--tokenize", "none"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // What follows the line of BLEU.
  std::string reports_of(const Arguments& more) const {
    const std::string output = output_of(texts(more));
    return output.substr(output.find('\n') + 1);
  }
  std::string save_json(const std::string& name, const Arguments& more) const {
    Arguments all = texts(more);
    all.emplace_back("--json");
    return dir_.write(name, output_of(all));
  }

  const test::TempDir& dir() const { return dir_; }
};

TEST_F(EvaluateReports, ByFrequencyIsATableUnderItsSignature) {
  EXPECT_EQ(
      reports_of({"--by-frequency", "--training", training_}),
      "words by frequency|nrefs:1|case:mixed|tok:none|bands:0,1,2-5,6-10,11-100,101-1000,1001+"
      "|train:10|version:heed-0.1.0\n"
      "in training text  reference  hypothesis  matches  precision  recall      F1\n"
      "               0          1           2        0       0.00    0.00    0.00\n"
      "               1          2           1        1     100.00   50.00   66.67\n"
      "             2-5          2           1        1     100.00   50.00   66.67\n"
      "            6-10          1           2        1      50.00  100.00   66.67\n"
      "          11-100          0           0        0          -       -       -\n"
      "        101-1000          0           0        0          -       -       -\n"
      "           1001+          0           0        0          -       -       -\n");
}

// Reference of four words: parts 0, 1, 3, 4; b counts 1 of 2 in each place. Of two: parts 1 and 3.
TEST_F(EvaluateReports, ByPositionIsATableUnderItsSignature) {
  EXPECT_EQ(reports_of({"--by-position"}),
            "words by position|nrefs:1|case:mixed|tok:none|parts:5|version:heed-0.1.0\n"
            "in the reference  reference      found  recall\n"
            "          0-20 %          1        1.0  100.00\n"
            "         20-40 %          2        1.5   75.00\n"
            "         40-60 %          0        0.0       -\n"
            "         60-80 %          2        0.5   25.00\n"
            "        80-100 %          1        0.0    0.00\n");
}

TEST_F(EvaluateReports, DiagnosisNamesTheFirstLinesOfEachFault) {
  const auto hypothesis = dir().write("h", "x y\n\na a a\n\n");
  const auto reference = dir().write("r", "u v\nw\na\n\n");
  const auto source = dir().write("s", "x y\nz\na b\n\n");
  const Arguments all = {"--hypothesis", hypothesis, "--reference", reference,
                         "--source",     source,     "--diagnose"};
  const std::string output = output_of(all);
  EXPECT_EQ(output.substr(output.find('\n') + 1),
            "diagnosis|nrefs:1|case:mixed|tok:13a|long:1.5r+5|short:1.5h+5|repeated:3x1-4|version:"
            "heed-0.1.0\n"
            "3 of 4 lines have a fault\n"
            "           fault      lines  percent  first of them\n"
            "           empty          1    25.00  2\n"
            "            long          0     0.00\n"
            "           short          0     0.00\n"
            "        repeated          1    25.00  3\n"
            "          copied          1    25.00  1\n");
  Arguments as_json = all;
  as_json.emplace_back("--json");
  const auto json = Json::parse(output_of(as_json));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["metric"], "BLEU");
  EXPECT_EQ(json[1]["report"], "diagnosis");
  EXPECT_EQ(json[1]["lines"], 4);
  EXPECT_EQ(json[1]["faulty"], 3);
  EXPECT_EQ(json[1]["faults"][0]["fault"], "empty");
  EXPECT_EQ(json[1]["faults"][0]["lines"], 1);
  EXPECT_EQ(json[1]["faults"][0]["percent"], 25.0);
  EXPECT_EQ(json[1]["faults"][4]["first"], Json::array({1}));
}

TEST_F(EvaluateReports, JsonHasTheFiguresOfTheTables) {
  const auto json = Json::parse(read_file(save_json(
      "j", {"--by-position", "--by-frequency", "--training", training_, "--metric", "bleu,ter"})));
  ASSERT_EQ(json.size(), 4u);
  EXPECT_EQ(json[1]["metric"], "TER");
  EXPECT_EQ(json[2]["report"], "by_frequency");
  EXPECT_EQ(json[2]["bands"].size(), 7u);
  EXPECT_EQ(json[2]["bands"][3]["frequency"], "6-10");
  EXPECT_EQ(json[2]["bands"][3]["recall"], 100.0);
  EXPECT_TRUE(json[2]["bands"][4]["f1"].is_null());
  EXPECT_EQ(json[3]["report"], "by_position");
  EXPECT_EQ(json[3]["parts"][1]["found"], 1.5);
  EXPECT_TRUE(json[3]["parts"][2]["recall"].is_null());
}

TEST_F(EvaluateReports, ByLengthHasASignatureOfItsOwn) {
  const std::string output = reports_of({"--by-length"});
  EXPECT_EQ(output.find("BLEU by length|nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|"
                        "length:reference|lengthtok:none|version:heed-0.1.0\n"),
            0u);
  const auto json = Json::parse(read_file(save_json("j", {"--by-length", "--source", reference_})));
  EXPECT_EQ(json["by_length_of"], "source");
  EXPECT_NE(json["by_length_signature"].get<std::string>().find("|length:source|"),
            std::string::npos);
}

TEST_F(EvaluateReports, AllThatJsonHasCanBeDrawn) {
  const std::string report =
      save_json("new", {"--by-length", "--by-position", "--by-frequency", "--training", training_});
  const std::string other = save_json("old", {"--by-length", "--by-position"});
  for (const std::string format : {"png", "svg", "pdf"}) {
    const std::string picture = dir().file("picture." + format);
    EXPECT_EQ(run_plot({report, "--output", picture}), 0);
    EXPECT_GT(read_file(picture).size(), 1000u);
    EXPECT_EQ(run_plot({report, other, "--output", picture}), 0);
  }
  EXPECT_THROW(run_plot({report, "--output", report, "--format", "png"}), UsageError);
  EXPECT_THROW(run_plot({report, "--output", dir().file("x.png"), "--lines", "1"}), UserError);
  EXPECT_THROW(run_plot({report, "--output", dir().file("x.png"), "--against", "minutes"}),
               UserError);
  const std::string nothing = save_json("nothing", {});
  EXPECT_EQ(test::message_of<UserError>([&] {
              run_plot({nothing, "--output", dir().file("x.png")});
            }),
            nothing +
                " has nothing to draw: it needs heed evaluate --by-length, --by-frequency or "
                "--by-position");
}

TEST_F(EvaluateReports, WhatDoesNotGoTogetherIsRefused) {
  const auto refused = [this](const Arguments& more) {
    EXPECT_THROW(run_evaluate(texts(more)), UsageError) << more[0];
  };
  refused({"--by-frequency"});
  refused({"--training", training_});
  refused({"--sentence-level", "--by-position"});
  refused({"--sentence-level", "--diagnose"});
  refused({"--gold-base", "1"});
  refused({"--target", reference_});
  for (const char* option : {"--by-position", "--diagnose", "--by-length", "--lowercase"})
    EXPECT_THROW(run_evaluate({"--links", hypothesis_, "--gold", reference_, option}), UsageError);
  EXPECT_THROW(run_evaluate({"--links", hypothesis_, "--gold", reference_, "--source", reference_}),
               UsageError);
}

// Pairs of 2 + 2 and 1 + 3 words. Gold, counted from 1: 0-1 lies before the first word, 3-1 and 2-1
// (of the second) beyond the last. Links: 5-0 is beyond. What is left:
//   A = {0-0, 5-0 | 0-2}  S = {0-0 | }  P = {0-0, 1-1 | 0-2}
//   precision = 2 / 3  recall = 1 / 1  AER = 1 - (1 + 2) / (3 + 1) = 0.25
class LinkRanges : public EvaluateReports {
 protected:
  Json figures(const std::string& gold, const Arguments& more) {
    Arguments all = {"--links", dir().write("links", "0-0 5-0\n0-2\n"), "--gold",
                     dir().write("gold", gold), "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return Json::parse(output_of(all));
  }
  Arguments with_texts(Arguments more) {
    more.insert(more.end(), {"--source", dir().write("s", "a b\nc\n"), "--target",
                             dir().write("t", "x y\nu v w\n")});
    return more;
  }
};

TEST_F(LinkRanges, AreCountedAndNotFatalInEveryForm) {
  const std::vector<std::pair<std::string, Arguments>> forms = {
      {"0-1 1-1 2p2 3-1\n2-1 1p3\n", {"--gold-base", "1"}},
      {"1 0 1\n1 1 1\n1 2 2 P\n1 3 1 S\n2 2 1 S\n2 1 3 P\n",
       {"--gold-base", "1", "--gold-format", "naacl"}}};
  for (const auto& form : forms) {
    const Json json = figures(form.first, with_texts(form.second));
    EXPECT_EQ(json.at("gold_out_of_range"), 3);
    EXPECT_EQ(json.at("links_out_of_range"), 1);
    EXPECT_EQ(json.at("sure"), 1);
    EXPECT_EQ(json.at("possible"), 3);
    EXPECT_NEAR(json.at("aer").get<double>(), 0.25, 1e-12);
  }
  // Counted from 0 the same gold without its link before the first word; 3p4 and 2-0 are beyond.
  const Json json = figures("0-0 1p1 3p4\n2-0 0p2\n", with_texts({}));
  EXPECT_EQ(json.at("gold_out_of_range"), 2);
  EXPECT_NEAR(json.at("aer").get<double>(), 0.25, 1e-12);
}

TEST_F(LinkRanges, WithoutTextsOnlyThoseBeforeTheFirstTokenAreKnown) {
  const Json json = figures("0-1 1-1 2p2 3-1\n2-1 1p3\n", {"--gold-base", "1"});
  EXPECT_EQ(json.at("gold_out_of_range"), 1);
  EXPECT_FALSE(json.contains("links_out_of_range"));
}

TEST_F(LinkRanges, AreToldOnStandardError) {
  testing::internal::CaptureStderr();
  figures("0-0 1p1 3p4\n2-0 0p2\n", with_texts({}));
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("gold: 2 links beyond the end of their sentence are left out; with tokens "
                      "counted from 1 use --gold-base 1"),
            std::string::npos)
      << told;
  EXPECT_NE(told.find("links: 1 links beyond the end of their sentence count as wrong"),
            std::string::npos)
      << told;
}

TEST_F(EvaluateReports, TrainingTextOfAnotherKindIsDoubted) {
  testing::internal::CaptureStderr();
  reports_of({"--by-frequency", "--training", dir().write("other", "x y c\n")});
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("other: 4 of the 6 words of the reference are not in it"), std::string::npos)
      << told;
}

}  // namespace
}  // namespace heed::cli
