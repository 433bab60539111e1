#include "plot/attention_dump.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "plot/run_curves.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

constexpr char kGood[] =
    R"({"id": 7, "source": ["a", "</s>"], "target": ["x"], "attention": [[0.75, 0.25]], "score": -1.5})";

class PlotInput : public testing::Test {
 protected:
  std::string write(const std::string& content) {
    const std::string path = folder_.path() + "/F";
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  // The message of the UserError without the path of this test's folder.
  template <typename Call>
  std::string message_of(Call call) const {
    return test::message_of<UserError>(folder_, call);
  }

  std::string attention_error(const std::string& content, const std::string& lines = "") {
    const std::string path = write(content);
    return message_of([&] { read_attention(path, LineSelection(lines)); });
  }

 private:
  test::TempDir folder_;
};

TEST_F(PlotInput, DumpIsReadWithIdAndScore) {
  const auto records = read_attention(write(std::string(kGood) + "\n"), LineSelection(""));
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].line, 1);
  EXPECT_EQ(records[0].id, 7);
  EXPECT_EQ(records[0].source, (std::vector<std::string>{"a", "</s>"}));
  EXPECT_EQ(records[0].target, (std::vector<std::string>{"x"}));
  EXPECT_EQ(records[0].weights, (std::vector<std::vector<double>>{{0.75, 0.25}}));
  EXPECT_EQ(records[0].score, -1.5);
}

TEST_F(PlotInput, OtherMatricesComeAsSharesOfTheirRows) {
  const std::string line =
      R"({"source": ["a", "</s>"], "target": ["x", "y"], "gradient": [[-3, 1], [0, 0]]})";
  const auto records = read_attention(write(line + "\n"), LineSelection(""), "gradient");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].matrix, "gradient");
  EXPECT_EQ(records[0].weights, (std::vector<std::vector<double>>{{0.75, 0.25}, {0, 0}}));
  EXPECT_EQ(message_of([&] { read_attention(write(line + "\n"), LineSelection(""), "erasure"); }),
            attention_error(line).replace(attention_error(line).find("attention"), 9, "erasure"));
}

TEST_F(PlotInput, OfAllMatricesTheFirstComesAsItIs) {
  const std::string erasure = R"({"source": ["a", "</s>"], "target": ["x"], "erasure": [[-3, 1]]})";
  const auto records = read_matrices(write(erasure + "\n" + kGood + "\n"), LineSelection(""));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].matrix, "erasure");
  EXPECT_EQ(records[0].weights, (std::vector<std::vector<double>>{{-3, 1}}));
  EXPECT_TRUE(records[0].others.empty());
  EXPECT_EQ(records[1].matrix, "attention");
  const std::string none = R"({"source": ["a"], "target": ["x"]})";
  EXPECT_EQ(message_of([&] { read_matrices(write(none), LineSelection("")); }),
            attention_error(none));
}

TEST_F(PlotInput, IdAndScoreMayBeMissing) {
  const auto records = read_attention(
      write("\n{\"source\":[\"a\"],\"target\":[\"b\"],\"attention\":[[1]],\"more\":{}}"),
      LineSelection(""));
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].id, 1);
  EXPECT_FALSE(records[0].score);
}

TEST_F(PlotInput, EmptyLinesOfTheTextAreLeftOut) {
  const std::string empty = R"({"id":0,"source":[],"target":[],"attention":[],"score":0.0})";
  const auto records = read_attention(write(empty + "\n" + kGood + "\n"), LineSelection(""));
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].line, 2);
  EXPECT_EQ(attention_error(empty), "F has no sentence to draw");
}

TEST_F(PlotInput, MalformedDumpsAreReportedWithFileAndLine) {
  const std::string good = std::string(kGood) + "\n";
  const std::string tokens = R"({"source": ["a", "b"], "target": ["x"], )";
  EXPECT_EQ(attention_error(good + "{\"source\": [\n"),
            "F:2: not JSON at byte 13 of the line; is the file cut or of another kind?");
  EXPECT_EQ(attention_error("[1]\n"), "F:1: not a JSON object");
  EXPECT_EQ(attention_error("{}"), "F:1: \"attention\" is missing");
  EXPECT_EQ(attention_error(R"({"attention": [], "source": "a"})"),
            "F:1: \"source\" is not a list of tokens");
  EXPECT_EQ(attention_error(R"({"attention": [], "source": [], "target": ["x"]})"),
            "F:1: \"source\" has no tokens");
  EXPECT_EQ(attention_error(tokens + R"("attention": [[1, 0], [0, 1]]})"),
            "F:1: rows of \"attention\": 2, tokens of \"target\": 1; they must match");
  EXPECT_EQ(attention_error(tokens + R"("attention": [[1]]})"),
            "F:1: weights in row 1 of \"attention\": 1, tokens of \"source\": 2; they must match");
  EXPECT_EQ(attention_error(tokens + R"("attention": [[1, null]]})"),
            "F:1: row 1 of \"attention\" has 'null', which is not a number");
  EXPECT_EQ(attention_error(tokens + R"("attention": [[1, 1e999]]})"),
            "F:1: JSON with a number out of range");
  EXPECT_EQ(attention_error(""), "F has no sentence to draw");
}

TEST_F(PlotInput, AttentionIsMadeOfProbabilities) {
  const std::string tokens = R"({"source": ["a", "b"], "target": ["x", "y"], )";
  const auto error = [&](const std::string& weights) {
    return attention_error(kGood + ("\n" + tokens) + weights + "}");
  };
  EXPECT_EQ(error(R"("attention": [[1, 0], [-0.5, 0.5]])"),
            "F:2: row 2 of \"attention\" has '-0.5', which is not a probability");
  EXPECT_EQ(error(R"("attention": [[1.001, 0], [0, 1]])"),
            "F:2: row 1 of \"attention\" has '1.001', which is not a probability");
  // Values slightly above 1 come from rounding and are accepted; other matrices may have any
  // sign and size.
  const auto records = read_attention(
      write(tokens + R"("attention": [[1.00005, -0.0], [0, 1]], "more": [[-7, 7], [0, 0]]})"),
      LineSelection(""));
  EXPECT_EQ(records[0].others.size(), 1u);
}

TEST_F(PlotInput, FurtherMatricesAndLinksAreRead) {
  const auto records =
      read_attention(write(R"({"source": ["a", "</s>"], "target": ["x"], "attention": [[1, 0]], )"
                           R"("gradient": [[-0.5, 2]], "head_2": [[0, 1]], "token_logp": [-1], )"
                           R"("other": [[1]], "links": "0-0"})"),
                     LineSelection(""));
  ASSERT_EQ(records[0].others.size(), 2u);
  EXPECT_EQ(records[0].others[0].name, "gradient");
  EXPECT_EQ(records[0].others[0].weights, (std::vector<std::vector<double>>{{-0.5, 2}}));
  EXPECT_EQ(records[0].others[1].name, "head_2");
  EXPECT_EQ(records[0].links, "0-0");
}

TEST_F(PlotInput, MalformedMatricesAndLinksAreReported) {
  const std::string good = R"({"source": ["a"], "target": ["x"], "attention": [[1]], )";
  EXPECT_EQ(attention_error(good + R"("gradient": [[1, 2]]})"),
            "F:1: weights in row 1 of \"gradient\": 2, tokens of \"source\": 1; they must match");
  EXPECT_EQ(attention_error(good + R"("erasure": [["a"]]})"),
            "F:1: row 1 of \"erasure\" has '\"a\"', which is not a number");
  EXPECT_EQ(attention_error(good + R"("links": [[0, 0]]})"),
            "F:1: \"links\" is not text like \"0-0 2-1\"");
  for (const std::string link : {"0-1", "1-0", "0", "-", "0-", "-0", "0-0-0", "x-0", "-1-0"})
    EXPECT_EQ(attention_error(good + R"("links": ")" + link + "\"}"),
              "F:1: \"links\" has '" + link + "', which is not a link between its tokens");
}

TEST_F(PlotInput, LinesAreSelectedByNumberAndRange) {
  std::string dump;
  for (int i = 0; i < 9; ++i) dump += std::string(kGood) + "\n";
  std::vector<int64_t> lines;
  for (const auto& record : read_attention(write(dump), LineSelection("7,1,3-4"))) {
    lines.push_back(record.line);
  }
  EXPECT_EQ(lines, (std::vector<int64_t>{1, 3, 4, 7}));
  EXPECT_EQ(attention_error(dump, "8-10"),
            "--lines: line 10 was requested, but the last line of F is 9");
  // Lines after the last selected one are not read.
  EXPECT_EQ(attention_error(dump + "broken", "9"), "(nothing thrown)");
}

TEST_F(PlotInput, MalformedSelectionsAreRefused) {
  for (const char* lines : {"0", "a", "1,", ",1", "4-2", "1-", "-1", "1 2", "1--2"}) {
    EXPECT_THROW(LineSelection{lines}, UserError) << lines;
  }
  EXPECT_TRUE(LineSelection("").contains(12345));
}

TEST_F(PlotInput, RunLogGivesAPanelForEachMeasureItHas) {
  const auto panels = read_run_log(
      write("{\"type\":\"train\",\"update\":10,\"cross_entropy\":5.5,\"learning_rate\":0.001}\n"
            "{\"type\":\"train\",\"update\":20,\"cross_entropy\":null,\"learning_rate\":0.0005}\n"
            "{\"type\":\"valid\",\"update\":20,\"bleu\":12.5,\"cross_entropy\":4}\n"
            "\n{\"type\":\"valid\",\"bleu\":99}\n"
            "{\"type\":\"valid\",\"update\":30,\"bleu\":11.5,\"unknown\":[]}\n"),
      RunAxis::updates);
  ASSERT_EQ(panels.size(), 3u);
  EXPECT_EQ(panels[0].title, "Cross-entropy per target token");
  ASSERT_EQ(panels[0].curves.size(), 2u);
  EXPECT_EQ(panels[0].curves[0].points.size(), 1u);
  EXPECT_EQ(panels[0].curves[1].points[0].value, 4);
  EXPECT_EQ(panels[1].title, "Validation BLEU");
  ASSERT_EQ(panels[1].curves[0].points.size(), 2u);
  EXPECT_EQ(panels[1].curves[0].best_point().x, 20);
  EXPECT_EQ(panels[2].title, "Learning rate");
  EXPECT_EQ(panels[2].curves[0].points[1].value, 0.0005);
}

TEST_F(PlotInput, GradientNormAndSpeedArePanelsOfTheirOwn) {
  const auto panels = read_run_log(
      write("{\"type\":\"train\",\"update\":10,\"gradient_norm\":0.5,\"tokens_per_second\":900}\n"
            "{\"type\":\"train\",\"update\":20,\"gradient_norm\":null}\n"
            "{\"type\":\"valid\",\"update\":20,\"gradient_norm\":7}\n"),
      RunAxis::updates);
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].title, "Gradient norm");
  ASSERT_EQ(panels[0].curves[0].points.size(), 1u);
  EXPECT_EQ(panels[0].curves[0].points[0].value, 0.5);
  EXPECT_EQ(panels[1].title, "Target tokens per second");
  EXPECT_EQ(panels[1].curves[0].points[0].value, 900);
}

TEST_F(PlotInput, ReportsOfAResumedRunReplaceEarlierOnes) {
  const auto panels = read_run_log(
      write("{\"type\":\"train\",\"update\":10,\"cross_entropy\":3}\n{\"type\":\"train\","
            "\"update\":20,\"cross_entropy\":2}\n"
            "{\"type\":\"train\",\"update\":30,\"cross_entropy\":9}\n{\"type\":\"train\","
            "\"update\":20,\"cross_entropy\":1}\n"),
      RunAxis::updates);
  ASSERT_EQ(panels[0].curves[0].points.size(), 2u);
  EXPECT_EQ(panels[0].curves[0].points[1].x, 20);
  EXPECT_EQ(panels[0].curves[0].points[1].value, 1);
}

TEST_F(PlotInput, ARunIsDrawnOverItsMinutesOnRequest) {
  const auto panels =
      read_run_log(write("{\"type\":\"valid\",\"update\":10,\"minutes\":1.5,\"bleu\":3}\n"
                         "{\"type\":\"valid\",\"update\":20,\"minutes\":4,\"bleu\":5}\n"
                         "{\"type\":\"valid\",\"update\":30,\"bleu\":6}\n"),
                   RunAxis::minutes);
  ASSERT_EQ(panels[0].curves[0].points.size(), 2u);
  EXPECT_EQ(panels[0].curves[0].points[0].x, 1.5);
  EXPECT_EQ(panels[0].curves[0].points[1].x, 4);
}

TEST_F(PlotInput, RunsComparedShareThePanelsOfTheirMeasures) {
  const auto curve = [](const char* name, double value) {
    return Curve{name, {{1, value}}, Curve::Best::none, 0};
  };
  const char* const loss = "Cross-entropy per target token";
  const auto panels = compare_runs(
      {{"a", {{loss, false, {curve("training (with dropout)", 3), curve("validation", 2)}}}},
       {"b",
        {{loss, false, {curve("validation", 1)}},
         {"Learning rate", true, {curve("learning rate", 9)}}}}});
  ASSERT_EQ(panels.size(), 2u);
  ASSERT_EQ(panels[0].curves.size(), 2u);
  EXPECT_EQ(panels[0].curves[0].name, "a");
  EXPECT_EQ(panels[0].curves[0].points[0].value, 2);
  EXPECT_EQ(panels[0].curves[1].name, "b");
  ASSERT_EQ(panels[1].curves.size(), 1u);
  EXPECT_EQ(panels[1].curves[0].name, "b");
}

TEST_F(PlotInput, ARunKeepsItsColourAndIsLeftOutWhereItWasNotMeasured) {
  const auto curve = [](const char* name) { return Curve{name, {{1, 2}}, Curve::Best::none, 0}; };
  const char* const loss = "Cross-entropy per target token";
  const auto panels = compare_runs(
      {{"unvalidated", {{loss, false, {curve("training (with dropout)")}}}},
       {"validated", {{loss, false, {curve("training (with dropout)"), curve("validation")}}}}});
  ASSERT_EQ(panels.size(), 1u);
  ASSERT_EQ(panels[0].curves.size(), 1u);
  EXPECT_EQ(panels[0].curves[0].name, "validated");
  EXPECT_EQ(panels[0].curves[0].color, 1u);
}

TEST_F(PlotInput, RunLogErrorsNameFileAndLine) {
  const std::string cut =
      write("{\"type\":\"train\",\"update\":1,\"cross_entropy\":2}\n{\"type\":\n");
  EXPECT_EQ(message_of([&] { read_run_log(cut, RunAxis::updates); }),
            "F:2: not JSON at byte 9 of the line; is the file cut or of another kind?");
  const std::string empty = write("{\"type\":\"train\"}\n");
  EXPECT_EQ(message_of([&] { read_run_log(empty, RunAxis::updates); }),
            "F has no report of training or validation to draw yet");
  for (const std::string key : {"loss", "cross_entropy", "update", "minutes", "bleu"}) {
    const std::string wrong = write("{\"type\":\"train\",\"update\":1,\"cross_entropy\":2}\n{\"" +
                                    key + "\":\"x\",\"type\":\"train\"}\n");
    EXPECT_EQ(message_of([&] { read_run_log(wrong, RunAxis::updates); }),
              "F:2: \"" + key + "\" is '\"x\"', which is not a number");
  }
}

}  // namespace
}  // namespace heed
