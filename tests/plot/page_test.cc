// Tests the HTML output as text; tests/browser tests it in a browser.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/base64.h"
#include "base/error.h"
#include "plot/html_file.h"
#include "plot/html_page.h"
#include "plot/viewer.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

using Json = nlohmann::json;

size_t occurrences(const std::string& text, const std::string& of) {
  size_t count = 0;
  for (size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++count;
  return count;
}

// The content of the data's <script> element as an HTML parser delimits it: up to
// the next "</script".
std::string data_text(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const size_t at = page.find(begin);
  if (at == std::string::npos) return "";
  return page.substr(at + begin.size(),
                     page.find("</script", at + begin.size()) - at - begin.size());
}

AttentionRecord record_of(std::vector<std::string> source, std::vector<std::string> target,
                          std::vector<std::vector<double>> weights) {
  AttentionRecord record;
  record.line = 1;
  record.source = std::move(source);
  record.target = std::move(target);
  record.weights = std::move(weights);
  return record;
}

const std::vector<std::string> kNasty = {
    "</script><script>alert(1)</script>",
    "<!--",
    "-->",
    "]]>",
    "&amp;&lt;",
    "\"'`\\",
    "\xE2\x80\xA8line\xE2\x80\xA9",
    "\xF0\x9F\x90\x95\xE2\x9D\xA4\xEF\xB8\x8F",  // a dog, a heart
    "\xD9\x83\xD8\xAA\xD8\xA7\xD8\xA8",          // Arabic: book
    "\xE7\x8C\xAB",                              // Chinese: cat
    std::string("nul\0tab\t\x7f", 9),
    "@SCRIPT@@DATA@@STYLE@"};

TEST(Page, WhateverTheDataHoldItStaysData) {
  const std::vector<std::vector<double>> weights(
      1, std::vector<double>(kNasty.size(), 1.0 / static_cast<double>(kNasty.size())));
  const std::string page =
      render_viewer("</title><b>&\"", {record_of(kNasty, {"</style>"}, weights)});
  const std::string text = data_text(page);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xA8"), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xA9"), std::string::npos);
  const Json data = Json::parse(text);
  EXPECT_EQ(data["runs"][0]["items"][0]["versions"][0]["record"]["s"], Json(kNasty));
  EXPECT_EQ(data["title"], "</title><b>&\"");
  // Outside the data the page is always the same.
  std::string other = render_viewer("t", {record_of({"a"}, {"b"}, {{1}})});
  const std::string small = data_text(other);
  std::string rest = page;
  rest.replace(rest.find(text), text.size(), "");
  other.replace(other.find(small), small.size(), "");
  EXPECT_EQ(rest, other);
}

TEST(Page, AMatrixHasTheNameItHasInTheDump) {
  AttentionRecord record = record_of({"a"}, {"b"}, {{-2}});
  record.matrix = "erasure";
  const Json data = Json::parse(data_text(render_viewer("t", {record})));
  const Json& matrices = data["runs"][0]["items"][0]["versions"][0]["record"]["m"];
  EXPECT_EQ(matrices.size(), 1u);
  EXPECT_TRUE(matrices.contains("erasure"));
  EXPECT_EQ(data["signed"], Json({"erasure"}));
}

TEST(Page, NothingIsLoadedAndOnlyInlineScriptRuns) {
  const std::string page = render_viewer("t", {record_of({"a"}, {"b"}, {{1}})});
  EXPECT_EQ(occurrences(page, "default-src 'none'"), 1u);
  for (const char* part : {" src=", "http-equiv=\"refresh", "@import", "url(", "<link", "<iframe",
                           "<img", "fetch(", "XMLHttpRequest", "import(", "innerHTML", "outerHTML",
                           "insertAdjacentHTML", "document.write", "eval("})
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  // The only address in the page is SVG's namespace, which is not loaded.
  EXPECT_EQ(occurrences(page, "://"), occurrences(page, "http://www.w3.org/2000/svg"));
  EXPECT_EQ(occurrences(page, "</script"), 2u);
  EXPECT_EQ(occurrences(page, "<!--"), 0u);
}

// Weights as the page reads them: 16 bits, little-endian, in steps of scale / 32767.
std::vector<double> unpacked(const Json& matrix) {
  const std::string bytes = base64_decode(matrix[1].get<std::string>()).value();
  std::vector<double> weights;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const int low = static_cast<unsigned char>(bytes[i]);
    const int high = static_cast<signed char>(bytes[i + 1]);
    weights.push_back((high * 256 + low) * matrix[0].get<double>() / 32767);
  }
  return weights;
}

TEST(Page, WeightsKeepThreeDecimalsAndTheirSign) {
  AttentionRecord record = record_of({"a", "b"}, {"x", "y"}, {{0, 1}, {0.333333, 0.666667}});
  record.others = {{"gradient", {{-0.00012, 0.00007}, {0, 0.00001}}},
                   {"erasure", {{-7, 2}, {0, 0}}}};
  const Json matrices = Json::parse(script_json(record_json(record)))["m"];
  const auto near = [&](const char* name, const std::vector<double>& expected, double error) {
    const std::vector<double> weights = unpacked(matrices[name]);
    ASSERT_EQ(weights.size(), expected.size()) << name;
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(weights[i], expected[i], error) << name << " " << i;
  };
  near("attention", {0, 1, 0.333333, 0.666667}, 2e-5);
  near("gradient", {-0.00012, 0.00007, 0, 0.00001}, 2e-9);
  near("erasure", {-7, 2, 0, 0}, 2e-4);
  const std::string page = render_viewer("t", {record});
  EXPECT_EQ(Json::parse(data_text(page))["signed"], Json::array({"gradient", "erasure"}));
}

TEST(Page, AThousandSentencesAreSmallerThanTwentyMegabytes) {
  std::vector<AttentionRecord> records;
  for (int64_t k = 0; k < 1000; ++k) {
    AttentionRecord record;
    record.id = k;
    for (size_t i = 0; i < 30; ++i) {
      record.source.push_back("\xE2\x96\x81Wort" + std::to_string(i));
      record.target.push_back("\xE2\x96\x81word" + std::to_string(i));
      record.weights.emplace_back();
      for (size_t j = 0; j < 30; ++j)
        record.weights[i].push_back(
            std::abs(std::sin(static_cast<double>(900 * k) + 30.0 * static_cast<double>(i) +
                              static_cast<double>(j))));
    }
    for (const char* name : {"gradient", "integrated", "erasure"})
      record.others.push_back({name, record.weights});
    records.push_back(record);
  }
  EXPECT_LT(render_viewer("all four", records).size(), 20'000'000u);
  for (AttentionRecord& record : records) record.others.clear();
  EXPECT_LT(render_viewer("attention", records).size(), 5'000'000u);
}

TEST(Page, TheSameDataGiveTheSameBytes) {
  const AttentionRecord record = record_of({"a", "b"}, {"x"}, {{0.25, 0.75}});
  EXPECT_EQ(render_viewer("t", {record}), render_viewer("t", {record}));
}

TEST(Page, ItsScriptAndStyleAreInItWhole) {
  const std::string page = render_viewer("t", {record_of({"a"}, {"b"}, {{1}})});
  EXPECT_NE(page.find(html_file("page.css")), std::string::npos);
  EXPECT_NE(page.find(html_file("app.js")), std::string::npos);
  EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
  EXPECT_EQ(page.substr(page.size() - 8), "</html>\n");
}

TEST(Samples, TextsAndAttentionOfEachValidationComeTogether) {
  const test::TempDir run;
  std::filesystem::create_directory(run.file("samples"));
  const auto text = [](const char* first, const char* second) {
    return std::string("source       a b\nreference    A B\ntranslation  ") + first +
           "\n\nsource       \nreference    \ntranslation  " + second + "\n\n";
  };
  run.write("samples/update-00000010.txt", text("x", ""));
  run.write("samples/update-00000010.jsonl",
            R"({"id":0,"source":["a","</s>"],"target":["x"],"attention":[[0.5,0.5]]})"
            "\n"
            R"({"id":1,"source":[],"target":[],"attention":[]})"
            "\n");
  run.write("samples/update-00000100.txt", text("A B", "?"));
  run.write("samples/update-00000100.translation", "A B\n");
  run.write("samples/notes.txt", "mine\n");
  const RunSamples samples = read_samples(run.path());
  EXPECT_EQ(samples.updates, (std::vector<int64_t>{10, 100}));
  ASSERT_EQ(samples.sentences.size(), 2u);
  const SampleSentence& first = samples.sentences[0];
  EXPECT_EQ(first.source, "a b");
  EXPECT_EQ(first.reference, "A B");
  EXPECT_EQ(first.versions[0]->translation, "x");
  EXPECT_EQ(first.versions[1]->translation, "A B");
  EXPECT_EQ(first.versions[0]->attention->weights, (std::vector<std::vector<double>>{{0.5, 0.5}}));
  EXPECT_FALSE(first.versions[1]->attention);
  EXPECT_FALSE(samples.sentences[1].versions[0]->attention);
}

TEST(Samples, ACutFileIsReportedWithItsLine) {
  const test::TempDir run;
  std::filesystem::create_directory(run.file("samples"));
  const std::string path = run.write("samples/update-00000010.txt", "source       a\nrefer");
  EXPECT_EQ(test::message_of<UserError>([&] { read_samples(run.path()); }),
            path + ":2: expected 'reference' here; is the file cut?");
  EXPECT_TRUE(read_samples(run.file("nowhere")).updates.empty());
}

TEST(Samples, ASentenceThatCameLaterHasNothingBefore) {
  const test::TempDir run;
  std::filesystem::create_directory(run.file("samples"));
  const std::string one = "source       a\nreference    A\ntranslation  x\n\n";
  run.write("samples/update-00000010.txt", one);
  run.write("samples/update-00000020.txt", one + one);
  run.write("samples/update-00000030.txt", one);
  const RunSamples samples = read_samples(run.path());
  ASSERT_EQ(samples.sentences.size(), 2u);
  ASSERT_EQ(samples.sentences[1].versions.size(), 3u);
  EXPECT_FALSE(samples.sentences[1].versions[0]);
  EXPECT_TRUE(samples.sentences[1].versions[1]);
  EXPECT_FALSE(samples.sentences[1].versions[2]);
}

TEST(Report, CurvesStepsAndSamplesAreInThePage) {
  ReportedRun run{
      "first",
      {{"Validation BLEU", true, {{"BLEU", {{10, 3.25}, {2000, 31.5}}, Curve::Best::highest, 0}}}},
      {}};
  run.samples.updates = {10, 2000};
  run.samples.sentences = {{"a", "A", {SampleVersion{"x", std::nullopt}, std::nullopt}}};
  const std::string page = render_report(RunAxis::updates, run.by_update, {run});
  const Json data = Json::parse(data_text(page));
  const Json& panel = data["curves"]["panels"][0];
  EXPECT_EQ(panel["curves"][0]["points"], Json::array({10, 3.25, 2000, 31.5}));
  EXPECT_EQ(panel["curves"][0]["best"], 1);
  EXPECT_EQ(panel["axis"]["least"], 0);
  EXPECT_EQ(data["curves"]["across"]["most"], 2000);
  const Json& steps = data["runs"][0]["steps"];
  EXPECT_EQ(steps[1]["label"], "update 2,000 · BLEU 31.5");
  EXPECT_EQ(steps[1]["at"], 2000);
  const Json& item = data["runs"][0]["items"][0];
  EXPECT_EQ(item["versions"][0]["text"], "x");
  EXPECT_TRUE(item["versions"][1].is_null());
}

}  // namespace
}  // namespace heed
