#include "train/log_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "support/temp_dir.h"
#include "train/user_error.h"

namespace heed {
namespace {

using Json = nlohmann::json;

std::vector<Json> records(const std::string& path) {
  std::vector<Json> found;
  LineReader reader(path);
  std::string line;
  while (reader.next(line)) found.push_back(Json::parse(line));
  return found;
}

TrainReport train_report(int64_t update) {
  TrainReport report;
  report.update = update;
  report.epoch = 2;
  report.loss = 3.5;
  report.cross_entropy = std::log(20.0);
  report.padding = 0.125;
  return report;
}

TEST(LogWriter, WritesOneObjectALineWithTheKeysOfTheContract) {
  const test::TempDir folder;
  const std::string path = folder.path() + "/log.jsonl";
  {
    LogWriter log(path, 0);
    log.write(train_report(50));
    ValidationReport validation;
    validation.update = 50;
    validation.figures.cross_entropy = 2;
    validation.figures.perplexity = 7.5;
    log.write(validation);
  }
  const auto lines = records(path);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("type"), "train");
  EXPECT_EQ(lines[0].at("update"), 50);
  EXPECT_NEAR(lines[0].at("perplexity").get<double>(), 20, 1e-9);
  for (const char* key : {"epoch", "loss", "cross_entropy", "tokens_per_second", "learning_rate",
                          "gradient_norm", "minutes", "padding"}) {
    EXPECT_TRUE(lines[0].at(key).is_number()) << key;
  }
  EXPECT_EQ(lines[1].at("type"), "valid");
  EXPECT_EQ(lines[1].at("perplexity"), 7.5);
  EXPECT_TRUE(lines[1].at("bleu").is_null());
}

TEST(LogWriter, DropsWhatComesAgainAndCutLines) {
  const test::TempDir folder;
  const std::string path = folder.path() + "/log.jsonl";
  {
    LogWriter log(path, 0);
    for (const int64_t update : {50, 100, 150}) log.write(train_report(update));
  }
  write_file(path, read_file(path) + "{\"type\": \"tra");
  { LogWriter(path, 100).write(train_report(150)); }
  const auto lines = records(path);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].at("update"), 100);
  EXPECT_EQ(lines[2].at("update"), 150);
}

TEST(LogWriter, ReportsPathAndReasonIfItCannotWrite) {
  EXPECT_EQ(test::user_error([] { LogWriter log("/nowhere/log.jsonl", 0); }),
            "/nowhere/log.jsonl: cannot write: No such file or directory");
}

}  // namespace
}  // namespace heed
