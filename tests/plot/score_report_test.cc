// From the output of heed evaluate --json to bar charts.
#include "plot/score_report.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "plot/pixels.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

const char* const kByLength =
    R"({"metric": "BLEU", "signature": "s", "score": 30, "by_length_of": "source",
        "by_length_signature": "tok:13a|version:heed-1",
        "by_length": [{"length": "1-10", "sentences": 7, "score": 40.5, "ratio": 1},
                      {"length": "21-30", "sentences": 3, "score": 20.0, "ratio": 1}]})";
const char* const kByFrequency =
    R"({"report": "by_frequency", "signature": "train:9|version:heed-1", "bands": [
        {"frequency": "0", "reference_words": 1200, "precision": 50, "recall": 25, "f1": 33.3},
        {"frequency": "1", "reference_words": 0, "precision": null, "recall": null, "f1": null}]})";
const char* const kByPosition =
    R"({"report": "by_position", "signature": "parts:5", "parts": [
        {"position": "0-20 %", "reference_words": 4, "found": 3, "recall": 75.0}]})";

class ScoreReport : public testing::Test {
 protected:
  std::vector<BarChart> read(const std::string& json) const {
    return read_score_report(dir_.write("report", json));
  }
  test::TempDir dir_;
};

TEST_F(ScoreReport, EachListOfGroupsIsAChart) {
  const auto charts = read(std::string("[") + kByLength + "," + kByFrequency + "," +
                           R"({"report": "diagnosis"}, {"metric": "TER"},)" + kByPosition + "]");
  ASSERT_EQ(charts.size(), 3u);
  EXPECT_EQ(charts[0].title, "BLEU by length");
  EXPECT_EQ(charts[0].across, "tokens of the source");
  EXPECT_EQ(charts[0].signature, "tok:13a|version:heed-1");
  ASSERT_EQ(charts[0].groups.size(), 2u);
  EXPECT_EQ(charts[0].groups[1].label, "21-30");
  EXPECT_EQ(charts[0].groups[1].count, 3);
  EXPECT_EQ(charts[0].groups[0].values, (std::vector<std::optional<double>>{40.5}));
  EXPECT_EQ(charts[1].series, (std::vector<std::string>{"precision", "recall", "F1"}));
  EXPECT_EQ(charts[1].groups[0].values, (std::vector<std::optional<double>>{50, 25, 33.3}));
  EXPECT_FALSE(charts[1].groups[1].values[2].has_value());
  EXPECT_EQ(charts[2].groups[0].label, "0-20 %");
  EXPECT_EQ(charts[2].groups[0].values[0], 75.0);
}

TEST_F(ScoreReport, ASingleMetricNeedsNoList) { EXPECT_EQ(read(kByLength).size(), 1u); }

TEST_F(ScoreReport, IsReportedFromADumpByItsBeginning) {
  const auto is_report = [&](const std::string& text) {
    return is_score_report(dir_.write("file", text));
  };
  EXPECT_TRUE(is_report("[\n  {\"metric\": 1}]"));
  EXPECT_TRUE(is_report("{\n  \"metric\": \"BLEU\"\n}\n"));
  EXPECT_TRUE(is_report("\n {\"metric\": \"BLEU\"}\n"));
  EXPECT_TRUE(is_report("{\"report\": \"by_position\"}\n"));
  EXPECT_FALSE(is_report("{\"source\": [], \"target\": [], \"attention\": []}\n"));
  EXPECT_FALSE(is_report(""));
  EXPECT_FALSE(is_report("text\n"));
  EXPECT_FALSE(is_score_report(dir_.path()));
  EXPECT_FALSE(is_score_report(dir_.file("missing")));
}

TEST_F(ScoreReport, WhatIsWrongIsReportedWithTheFile) {
  const std::string path = dir_.file("report");
  const auto message = [&](const std::string& json) {
    return test::message_of<UserError>([&] { read(json); });
  };
  EXPECT_EQ(message("[{"), path + ": not JSON; is the file cut or of another kind?");
  EXPECT_EQ(message("[1]"), path + ": not a report of heed evaluate --json");
  EXPECT_EQ(message(R"({"metric": "BLEU", "by_length": []})"),
            path + ": \"by_length_signature\" is missing");
  EXPECT_EQ(message(R"({"report": "by_position", "signature": "s", "parts": 3})"),
            path + ": \"parts\" is not a list");
  EXPECT_EQ(message(R"({"report": "by_position", "signature": "s", "parts": [
                        {"position": "0", "reference_words": 1, "recall": "x"}]})"),
            path + ": \"recall\" is '\"x\"', which is not a number of at least 0");
  EXPECT_NE(message("{}").find("has nothing to draw"), std::string::npos);
}

TEST_F(ScoreReport, ReportsStandComparedGroupByGroup) {
  const auto first = read(std::string("[") + kByLength + "," + kByFrequency + "]");
  auto second = read(kByLength);
  second[0].signature = "tok:13a|version:heed-2";
  second[0].groups[1].label = "11-20";
  const auto together = compare_score_reports({{"a", first}, {"b", second}});
  ASSERT_EQ(together.size(), 2u);
  EXPECT_EQ(together[0].title, "BLEU by length");
  EXPECT_EQ(together[0].series, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(together[0].groups.size(), 3u);
  using Values = std::vector<std::optional<double>>;
  EXPECT_EQ(together[0].groups[0].values, (Values{40.5, 40.5}));
  EXPECT_EQ(together[0].groups[1].label, "11-20");
  EXPECT_EQ(together[0].groups[1].values, (Values{std::nullopt, 20.0}));
  EXPECT_EQ(together[0].groups[2].values, (Values{20.0, std::nullopt}));
  EXPECT_EQ(together[1].title, "Words by frequency: F1");
  EXPECT_EQ(together[1].groups[0].values, (Values{33.3, std::nullopt}));
}

TEST_F(ScoreReport, FiguresOfOtherSettingsAreNotCompared) {
  const auto first = read(kByLength);
  auto second = first;
  second[0].signature = "tok:intl|version:heed-1";
  EXPECT_EQ(test::message_of<UserError>([&] {
              compare_score_reports({{"a", first}, {"b", second}});
            }),
            "BLEU by length of b has the signature tok:intl|version:heed-1, others "
            "tok:13a|version:heed-1: only figures with the same settings can be compared");
}

bool is_first_color(const test::Pixels& pixels, double x, double y) {
  const auto color = pixels.at(x, y);
  return color[2] > 150 && color[0] < 50;
}

// Two groups share 640 pixels from x = 90 on; the axis of the values is 170 pixels high and its top
// is at y = 118.
TEST(Bars, AreAsHighAsTheirValues) {
  Typesetter typesetter;
  const std::vector<BarChart> charts = {
      {"t", "s", "lengths", "sentences", {"BLEU"}, {{"a", 5, {100}}, {"b", 6, {50}}}}};
  const Drawing drawing = draw_bars("", charts, typesetter);
  const test::Pixels pixels(drawing);
  const auto is_bar = [&](double x, double share) {
    return is_first_color(pixels, x, 118 + 170 * (1 - share));
  };
  const double first = 90 + 160, second = 90 + 480;
  for (const double share : {0.02, 0.25, 0.48}) {
    EXPECT_TRUE(is_bar(first, share)) << share;
    EXPECT_TRUE(is_bar(second, share)) << share;
  }
  for (const double share : {0.52, 0.75, 0.9}) {
    EXPECT_TRUE(is_bar(first, share)) << share;
    EXPECT_FALSE(is_bar(second, share)) << share;
  }
  EXPECT_FALSE(is_bar((first + second) / 2, 0.25));
}

TEST(Bars, WhatThereIsNoValueForHasNoBar) {
  Typesetter typesetter;
  const std::vector<BarChart> none = {
      {"t", "s", "x", "y", {"a", "b"}, {{"g", 1, {std::nullopt, std::nullopt}}}}};
  const Drawing drawing = draw_bars("", none, typesetter);
  const test::Pixels pixels(drawing);
  for (double x = 95; x < 725; ++x)
    for (double y = 120; y < 285; ++y) ASSERT_FALSE(is_first_color(pixels, x, y)) << x << " " << y;
}

TEST(Bars, ThePictureGrowsByAChartAndKeepsItsMargins) {
  Typesetter typesetter;
  BarChart chart{std::string(300, 'm'), std::string(500, 's'), "x", "y", {}, {}};
  for (int s = 0; s < 6; ++s) chart.series.push_back(std::string(100, 'n'));
  for (int g = 0; g < 12; ++g)
    chart.groups.push_back({"a label of much width", 1'000'000, {1, 2, 3, 4, 5, 6}});
  const std::vector<BarChart> one = {chart}, two = {chart, chart};
  const Drawing a = draw_bars("title", one, typesetter), b = draw_bars("title", two, typesetter);
  EXPECT_EQ(a.width, b.width);
  EXPECT_GT(b.height, a.height + 170);
  const test::Pixels pixels(b);
  EXPECT_EQ(pixels.marks(b.width - 20, 0, 20, b.height), 0);
  EXPECT_EQ(pixels.marks(0, b.height - 8, b.width, 8), 0);
}

}  // namespace
}  // namespace heed
