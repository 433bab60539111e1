// train and inspect through the program: a run directory from nothing, going on,
// signals, bad input.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_heed.h"
#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

using test::ProgramRun;
using test::run_heed;

constexpr const char* kConfig = R"(run: {dir: run, threads: 1}
data:
  train: {source: train.x, target: train.y}
  valid: {source: valid.x, target: valid.y}
  tokenizer: word
model:
  encoder: {hidden: 5}
  decoder: {hidden: 6}
  attention: {size: 4}
  embedding: 4
train: {batch_sentences: 4, epochs: 0, patience: 0, updates: 12, valid_every: 5, report_every: 4}
)";

class Train : public testing::Test {
 protected:
  void SetUp() override {
    std::string lines;
    for (int i = 0; i < 20; ++i) lines += std::string(i % 2 == 0 ? "a b c\n" : "c a\n");
    for (const char* name : {"train.x", "train.y", "valid.x", "valid.y"}) file(name, lines);
    file("config.yaml", kConfig);
  }
  std::string path(const std::string& name) const { return dir_.path() + "/" + name; }
  void file(const std::string& name, const std::string& content) const {
    write_file(path(name), content);
  }
  ProgramRun train(const std::string& more = "") const {
    return run_heed("train " + path("config.yaml") + " " + more);
  }
  // The error is the last line, whatever was logged before it.
  void expect_error(const ProgramRun& run, const std::string& message) const {
    EXPECT_EQ(run.code, 1) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(run.err.ends_with("\n")) << run.err;
    const size_t line = run.err.rfind("\nheed: ");
    const std::string last = run.err.substr(line == std::string::npos ? 0 : line + 1);
    EXPECT_EQ(last.rfind("heed: " + message, 0), 0u) << run.err;
  }

  test::TempDir dir_;
};

TEST_F(Train, NamesThePrecisionOfItsProducts) {
  const ProgramRun plain = train();
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_NE(plain.err.find("; f32 products; seed "), std::string::npos) << plain.err;
  if (!kernels::has_precision(kernels::Precision::bf16)) return;
  const ProgramRun rounded =
      train("--run.dir " + path("bf16") + " --run.precision bf16 --run.force_precision");
  ASSERT_EQ(rounded.code, 0) << rounded.err;
  EXPECT_NE(rounded.err.find("; bf16 products; seed "), std::string::npos) << rounded.err;
  const ProgramRun text = run_heed("inspect " + path("bf16/best.heed"));
  EXPECT_NE(text.out.find("precision: f32 weights, run.precision bf16\n"), std::string::npos);
}

TEST_F(Train, FillsTheRunDirectory) {
  const ProgramRun run = train();
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("stopped: train.updates = 12 reached\n"), std::string::npos) << run.err;
  for (const char* name :
       {"config.yaml", "best.heed", "last.heed", "log.jsonl", "samples/update-00000005.txt",
        "samples/update-00000010.jsonl", "samples/update-00000012.translation"}) {
    EXPECT_TRUE(std::filesystem::exists(path("run/") + name)) << name;
  }
}

TEST_F(Train, WhatValidationScoredIsWhatTranslateGives) {
  ASSERT_EQ(train("--train.updates 300 --train.learning_rate 0.03 --train.valid_every 300").code,
            0);
  const ProgramRun translation =
      run_heed("translate --beam 1 --model " + path("run/best.heed") + " <" + path("valid.x"));
  EXPECT_EQ(translation.out, read_file(path("run/samples/update-00000300.translation")));
  EXPECT_EQ(translation.out, read_file(path("valid.y"))) << "copying was not learnt";
}

TEST_F(Train, GoesOnWhereItStopped) {
  ASSERT_EQ(train().code, 0);
  const ProgramRun again = train();
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("nothing to do; raise train.updates"), std::string::npos) << again.err;
  const ProgramRun more = train("--train.updates 20 --train.learning_rate 0.002");
  EXPECT_NE(more.err.find("train.learning_rate: 0.001 -> 0.002; train.updates: 12 -> 20"),
            std::string::npos)
      << more.err;
  EXPECT_NE(more.err.find("update 12, epoch 3, learning rate 0.002, best "), std::string::npos)
      << more.err;
  EXPECT_NE(more.err.find("train.updates = 20 reached"), std::string::npos) << more.err;
}

TEST_F(Train, RefusesAnotherModelNamingTheKey) {
  ASSERT_EQ(train().code, 0);
  const std::string before = read_file(path("run/last.heed"));
  expect_error(train("--model.embedding 8"),
               path("run/last.heed") + ": model.embedding is 4 there and 8 now");
  EXPECT_TRUE(read_file(path("run/last.heed")) == before);
}

// The shell waits for the first save, sends the signal and passes the exit code on.
std::string and_signal(const std::string& signal, const std::string& waits_for) {
  return "& p=$!; until [ -e " + waits_for + " ]; do sleep 0.02; done; kill -" + signal +
         " $p; wait $p";
}

TEST_F(Train, SavesAndEndsWellOnATerminationSignal) {
  const ProgramRun run =
      train("--train.updates 0 --train.epochs 100000 " + and_signal("TERM", path("run/last.heed")));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("stopped by signal, run again to go on\n"), std::string::npos) << run.err;
  EXPECT_EQ(run_heed("inspect " + path("run/last.heed")).code, 0);
}

// A handler's frame goes where the stack pointer is, and in oneDNN's kernels that can be the heap:
// the run must end on a signal without having one, on any of its threads.
TEST_F(Train, NoThreadHandlesASignal) {
  const std::string last = path("run/last.heed"), status = path("status");
  const ProgramRun run = train("--train.updates 0 --train.epochs 100000 & p=$!; until [ -e " +
                               last + " ]; do sleep 0.02; done; grep -h ^SigCgt " +
                               "/proc/$p/task/*/status >" + status + "; kill -TERM $p; wait $p");
  EXPECT_EQ(run.code, 0) << run.err;
  std::istringstream caught(read_file(status));
  int threads = 0;
  for (std::string name, mask; caught >> name >> mask; ++threads) {
    EXPECT_EQ(std::stoull(mask, nullptr, 16) & (1ULL << (SIGHUP - 1) | 1ULL << (SIGTERM - 1)), 0u)
        << mask;
  }
  EXPECT_GE(threads, 2);
}

TEST_F(Train, SavesWhenTheTerminalGoesAway) {
  const ProgramRun run =
      train("--train.updates 0 --train.epochs 100000 " + and_signal("HUP", path("run/last.heed")));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("stopped by signal, run again to go on\n"), std::string::npos) << run.err;
}

// A shell starts its background jobs with SIGINT ignored, nohup with SIGHUP.
TEST_F(Train, SignalsThatItWasToldToIgnoreStayIgnored) {
  const ProgramRun run = train("--train.updates 400 " + and_signal("INT", path("run/last.heed")));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("train.updates = 400 reached"), std::string::npos) << run.err;
}

TEST_F(Train, GoesOnAfterASuddenDeath) {
  const ProgramRun killed = train("--train.updates 0 --train.epochs 100000 --train.save_every 1 " +
                                  and_signal("KILL", path("run/best.heed")));
  EXPECT_NE(killed.code, 0);
  const auto last = nlohmann::json::parse(run_heed("inspect --json " + path("run/last.heed")).out);
  const int64_t update = last.at("training_state").at("update");
  const ProgramRun run = train("--train.updates " + std::to_string(update + 3));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("update " + std::to_string(update) + ", epoch "), std::string::npos)
      << run.err;
}

TEST_F(Train, BadInputIsOneLineThatNamesIt) {
  file("short.y", "a\nb\n");
  expect_error(train("--data.valid.target " + path("short.y")), path("valid.x") + " has 20 lines");
  expect_error(train("--data.train.source " + path("none")), path("none") + ": cannot open");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expect_error(train("--data.train.source " + path("pipe")),
               "data.train.source: " + path("pipe") + " is a pipe");
  expect_error(train("--run.dir /proc/heed"), "/proc/heed: ");
  std::filesystem::create_directory(path("taken"));
  file("taken/samples", "");
  expect_error(train("--run.dir " + path("taken")), path("taken/samples") + ": ");
  EXPECT_FALSE(std::filesystem::exists(path("taken/log.jsonl"))) << "it was told late";
  expect_error(train("--run.device gpu"), "device gpu can't be used");
  file("no_dir.yaml", "data: {train: {source: train.x, target: train.y}}\n");
  expect_error(run_heed("train " + path("no_dir.yaml")),
               path("no_dir.yaml") + ": run.dir is missing");
  file("no_data.yaml", "run: {dir: run}\n");
  expect_error(run_heed("train " + path("no_data.yaml")),
               path("no_data.yaml") + ": data.train is missing");
  EXPECT_EQ(run_heed("train").code, 2);
}

TEST_F(Train, TrainsFromATabSeparatedFileWithAVocabularyASide) {
  file("train.tsv", "a b\tx y z\nb\tz\n");
  file("tsv.yaml",
       "run: {dir: tsv}\n"
       "data: {train: {tsv: train.tsv}, tokenizer: word, shared_vocab: false}\n"
       "model: {embedding: 4}\n"
       "train: {updates: 1}\n");
  const ProgramRun run = run_heed("train " + path("tsv.yaml"));
  EXPECT_EQ(run.code, 0) << run.err;
  const ProgramRun inspected = run_heed("inspect --json " + path("tsv/best.heed"));
  const auto json = nlohmann::json::parse(inspected.out);
  EXPECT_EQ(json.at("source_vocabulary").at("size"), 3 + 2);  // <unk> <s> </s> a b
  EXPECT_EQ(json.at("target_vocabulary").at("size"), 3 + 3);
}

TEST_F(Train, InspectTellsShapesCountsAndProvenance) {
  ASSERT_EQ(train().code, 0);
  const ProgramRun run = run_heed("inspect --json " + path("run/last.heed"));
  EXPECT_EQ(run.code, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  int64_t sum = 0;
  for (const auto& tensor : json.at("tensors")) sum += tensor.at("count").get<int64_t>();
  EXPECT_EQ(json.at("parameters"), sum);
  EXPECT_EQ(json.at("provenance").at("updates"), 12);
  EXPECT_EQ(json.at("training_state").at("optimizer"), "adam");
  EXPECT_EQ(json.at("config").at("model.embedding"), "4");
  const ProgramRun text = run_heed("inspect " + path("run/best.heed"));
  EXPECT_NE(text.out.find("resumable: no"), std::string::npos);
  EXPECT_NE(text.out.find("precision: f32 weights, run.precision f32\n"), std::string::npos);
  EXPECT_NE(text.out.find("embedding: 4"), std::string::npos);
  expect_error(run_heed("inspect " + path("config.yaml")),
               path("config.yaml") + ": not a heed model");
}

}  // namespace
}  // namespace heed
