#include "train/training_reports.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

using Json = nlohmann::json;

// Sides with </s>: source 3 and 2 padded to 3, target 2 and 6 padded to 6: 5 of 18 positions.
Batch padded_batch() {
  const std::vector<TokenId> ids(5, 7);
  const std::span<const TokenId> all = ids;
  const std::vector<SentencePair> pairs{{all.first(2), all.first(1)}, {all.first(1), all}};
  return make_batch(pairs);
}

std::vector<Json> lines_of(const std::string& path) {
  std::vector<Json> lines;
  LineReader reader(path);
  for (std::string line; reader.next(line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST(TrainingReports, AreMeansOverTheUpdatesSinceTheLastOne) {
  const test::TempDir folder;
  const std::string path = folder.path() + "/log.jsonl";
  TrainingReports reports(path, 0, false);
  reports.report({});  // of no update: not written
  reports.add(padded_batch(), {.loss = 2, .cross_entropy = 8, .tokens = 8, .norm = 3}, 0.5, 1);
  reports.add(padded_batch(), {.loss = 5, .cross_entropy = 4, .tokens = 4, .norm = 4}, 0.25, 3);
  reports.report({.update = 2, .epoch = 1, .minutes = 0.5, .fraction = 0});
  reports.report({.update = 2, .epoch = 1, .minutes = 0.5, .fraction = 0});  // nothing new
  reports.add(padded_batch(), {.loss = 1, .cross_entropy = 8, .tokens = 8, .norm = 1}, 0.125, 1);
  reports.report({.update = 3, .epoch = 2, .minutes = 0.75, .fraction = 0});
  const std::vector<Json> lines = lines_of(path);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("update"), 2);
  EXPECT_DOUBLE_EQ(lines[0].at("loss"), (2.0 * 8 + 5.0 * 4) / 12);
  EXPECT_DOUBLE_EQ(lines[0].at("cross_entropy"), 1);
  EXPECT_DOUBLE_EQ(lines[0].at("tokens_per_second"), 3);
  EXPECT_EQ(lines[0].at("learning_rate"), 0.25);
  EXPECT_EQ(lines[0].at("gradient_norm"), 4);
  EXPECT_EQ(lines[0].at("minutes"), 0.5);
  EXPECT_DOUBLE_EQ(lines[0].at("padding"), 5.0 / 18);
  EXPECT_EQ(lines[1].at("epoch"), 2);
  EXPECT_DOUBLE_EQ(lines[1].at("loss"), 1);
}

TEST(TrainingReports, HaveTheLinesOfValidations) {
  const test::TempDir folder;
  const std::string path = folder.path() + "/log.jsonl";
  TrainingReports reports(path, 0, false);
  ValidationReport validation;
  validation.update = 4;
  validation.figures.bleu = 21.5;
  reports.report_validation(validation, "best bleu 22.00 at update 2");
  ASSERT_EQ(lines_of(path).size(), 1U);
  EXPECT_EQ(lines_of(path)[0].at("type"), "valid");
  EXPECT_EQ(lines_of(path)[0].at("bleu"), 21.5);
}

}  // namespace
}  // namespace heed
