#include "train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "train/safetensors.h"
#include "train/tiny_run.h"
#include "train/user_error.h"

namespace heed {
namespace {

using test::TinyRun;
using test::user_error;

// Every tensor of last.heed as bytes: parameters and moments.
std::string tensor_bytes(const TinyRun& run) {
  const std::string whole = read_file(run.path("last.heed"));
  size_t count = 0;
  const SafetensorsFile file(run.path("last.heed"));
  for (const auto& [name, tensor] : file.tensors()) {
    count += static_cast<size_t>(tensor.end - tensor.begin);
  }
  return whole.substr(whole.size() - count);
}

// The part of the state that must not depend on stops: all but the clock and the last validation.
TrainingState comparable(TrainingState state) {
  state.minutes = 0;
  state.saved = {};
  state.last_validation = 0;
  return state;
}

std::vector<nlohmann::json> log_of(const TinyRun& run) {
  std::vector<nlohmann::json> lines;
  LineReader reader(run.path("log.jsonl"));
  std::string line;
  while (reader.next(line)) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

TEST(Trainer, GoingOnEqualsOneRunBitForBit) {
  for (const char* optimizer : {"adam", "sgd", "adadelta"}) {
    TinyRun whole, stopped;
    for (TinyRun* run : {&whole, &stopped}) {
      run->config.train.optimizer = optimizer;
      run->config.train.momentum = 0.9;
      run->config.train.schedule = "plateau";
      run->config.train.warmup = 3;
      run->config.train.decay_patience = 1;
      run->config.train.weight_average = 0.9;
    }
    // An epoch has 5 batches: 7 and 14 updates stop inside one. A value at the end of a run (update
    // 7) that is better than all others must not count for the decay.
    whole.config.train.updates = 14;
    whole.train({20, 19, 18});
    stopped.config.train.updates = 7;
    stopped.train({20, 99});
    stopped.config.train.updates = 14;
    stopped.validations = 1;
    stopped.train({20, 19, 18});
    EXPECT_TRUE(tensor_bytes(whole) == tensor_bytes(stopped)) << optimizer;
    EXPECT_EQ(comparable(whole.state), comparable(stopped.state)) << optimizer;
    EXPECT_EQ(whole.state.update, 14);
    EXPECT_EQ(whole.state.epoch, 2);
    EXPECT_EQ(whole.state.position, 4);
    EXPECT_EQ(whole.state.regular, (BestValue{20.0, 4, 2}));
    EXPECT_EQ(whole.state.schedule.factor, 0.5);
    EXPECT_EQ(stopped.state.saved, (BestValue{99.0, 7, 3})) << "validations at 8, 12 and 14";
  }
}

TEST(Trainer, TheLinearScheduleEndsAtItsEpochsAndGoesOnOverAStop) {
  TinyRun whole, stopped;
  for (TinyRun* run : {&whole, &stopped}) {
    run->config.train.schedule = "linear";
    run->config.train.report_every = 1;
    run->config.train.epochs = 2;  // of 20 pairs in 5 batches
  }
  whole.train({});
  int updates = 0;
  stopped.stop_requested = [&updates] { return ++updates == 7; };
  stopped.train({});
  stopped.train({});
  EXPECT_TRUE(tensor_bytes(whole) == tensor_bytes(stopped));
  for (const TinyRun* run : {&whole, &stopped}) {
    const auto reports = log_of(*run);
    ASSERT_EQ(reports.size(), 10U);
    for (size_t i = 0; i < reports.size(); ++i) {
      const double left = 1 - static_cast<double>(i) / 10;  // each batch has a tenth of the pairs
      EXPECT_NEAR(reports[i].at("learning_rate").get<double>(), 0.01 * left, 1e-12);
    }
  }
}

// Large enough that threads share the work.
void make_wide(TinyRun& run) {
  run.config.model.embedding = 64;
  run.config.model.encoder.hidden = 64;
  run.config.model.decoder.hidden = 128;
  run.config.model.attention.size = 64;
  run.config.train.batch_sentences = 32;
  run.config.train.updates = 6;
  run.corpus = run.make_corpus(150, 1);
}

TEST(Trainer, TheNumberOfThreadsChangesNoBit) {
  if (usable_cores() == 1) GTEST_SKIP() << "one core only";
  for (const auto precision : {kernels::Precision::f32, kernels::Precision::bf16}) {
    if (!kernels::has_precision(precision)) continue;
    TinyRun one, two;
    for (TinyRun* run : {&one, &two}) {
      make_wide(*run);
      run->config.run.precision = kernels::precision_name(precision);
      run->config.run.force_precision = true;
    }
    set_threads(1);
    one.train({});
    const int64_t before = shared_calls();
    set_threads(2);
    two.train({});
    set_threads(0);
    EXPECT_GT(shared_calls() - before, 6 * 20) << "of 6 updates";
    EXPECT_TRUE(tensor_bytes(one) == tensor_bytes(two)) << kernels::precision_name(precision);
  }
}

TEST(Trainer, GoingOnInBf16EqualsOneRunBitForBit) {
  if (!kernels::has_precision(kernels::Precision::bf16)) GTEST_SKIP() << "no products in bf16";
  TinyRun whole, stopped, f32;
  for (TinyRun* run : {&whole, &stopped, &f32}) {
    run->config.run.precision = run == &f32 ? "f32" : "bf16";
    run->config.run.force_precision = true;
    run->config.train.updates = run == &stopped ? 4 : 9;
    run->train({});
  }
  stopped.config.train.updates = 9;
  stopped.train({});
  EXPECT_TRUE(tensor_bytes(whole) == tensor_bytes(stopped));
  EXPECT_FALSE(tensor_bytes(whole) == tensor_bytes(f32));
}

TEST(Trainer, LearnsToCopy) {
  TinyRun run;
  run.config.train.dropout = {};
  run.config.train.epochs = 60;
  run.config.train.report_every = 50;
  run.train({});
  const auto lines = log_of(run);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_LT(lines.back().at("perplexity").get<double>(),
            0.5 * lines.front().at("perplexity").get<double>());
}

TEST(Trainer, PatienceOfOneStopsAtTheFirstValidationThatIsNotBetter) {
  TinyRun run;
  run.config.train.patience = 1;
  EXPECT_EQ(run.train({10, 11, 11, 12}), "no better bleu in 1 validation (best 11.00 at update 8)");
  EXPECT_EQ(run.state.update, 12);
  EXPECT_EQ(run.validations, 3u);
}

TEST(Trainer, PatienceOfTwoStopsAtTheSecondInARow) {
  TinyRun run;
  run.config.train.patience = 2;
  EXPECT_EQ(run.train({10, 9, 11, 10, 10, 50}),
            "no better bleu in 2 validations (best 11.00 at update 12)");
  EXPECT_EQ(run.state.update, 20);
}

TEST(Trainer, PatienceGoesOnOverAStop) {
  TinyRun run;
  run.config.train.patience = 2;
  run.config.train.updates = 8;
  run.train({10, 9});
  run.config.train.updates = 0;
  run.validations = 0;
  run.train({9, 50});
  EXPECT_EQ(run.state.update, 12);
}

TEST(Trainer, BestIsTheModelOfTheBestValidation) {
  TinyRun run;
  run.config.train.updates = 12;
  run.train({10, 30, 20});
  const LoadedModel best = load_model(run.path("best.heed"));
  const auto provenance = nlohmann::json::parse(best.metadata.at("provenance"));
  EXPECT_EQ(provenance.at("best_update"), 8);
  EXPECT_EQ(provenance.at("updates"), 8);
  EXPECT_EQ(provenance.at("best_value"), 30);
}

TEST(Trainer, WithoutValidationTheBestModelIsTheLast) {
  TinyRun run;
  run.config.train.updates = 3;
  EXPECT_EQ(run.train({}), "train.updates = 3 reached");
  EXPECT_EQ(user_error([&] { load_model(run.path("best.heed")); }), "(no error)");
}

TEST(Trainer, ValidatesOnceMoreAtTheEndOfARun) {
  TinyRun run;
  run.config.train.updates = 6;
  run.train({10, 20});
  EXPECT_EQ(run.validations, 2u);
  EXPECT_EQ(run.state.saved, (BestValue{20.0, 6, 0}));
  EXPECT_EQ(run.state.regular, (BestValue{10.0, 4, 0}));
}

TEST(Trainer, NamesTheLimitThatEndedIt) {
  TinyRun run;
  run.config.train.epochs = 2;
  run.config.train.updates = 100;
  EXPECT_EQ(run.train({}), "train.epochs = 2 reached");
  EXPECT_EQ(run.state.update, 10);
  EXPECT_EQ(run.state.position, 0);
}

TEST(Trainer, SaysWhenThereIsNothingToDo) {
  TinyRun run;
  run.config.train.updates = 5;
  run.train({});
  const std::string before = read_file(run.path("last.heed"));
  EXPECT_EQ(run.train({}),
            run.path("last.heed") +
                " is at update 5, epoch 1: train.updates = 5 reached: nothing to do; "
                "raise train.updates");
  EXPECT_TRUE(read_file(run.path("last.heed")) == before);
}

// Without validation best.heed is the last model; a killed run may have left an older one.
TEST(Trainer, ReplacesAnOlderBestModelIfThereIsNothingToDo) {
  TinyRun run;
  run.config.train.updates = 5;
  run.train({});
  const std::string best = read_file(run.path("best.heed"));
  write_file(run.path("best.heed"), "older");
  EXPECT_NE(run.train({}).find("nothing to do"), std::string::npos);
  EXPECT_TRUE(read_file(run.path("best.heed")) == best);
}

// A run that was killed after its last update was saved, before its last validation.
TEST(Trainer, MakesTheEndOfARunThatWasKilledThere) {
  for (const std::vector<double>& bleu : {std::vector<double>{20}, {}}) {
    TinyRun run;
    run.config.train.updates = 5;
    run.train({});
    std::filesystem::remove(run.path("best.heed"));
    EXPECT_EQ(run.train(bleu), "train.updates = 5 reached");
    EXPECT_EQ(run.state.update, 5);
    EXPECT_EQ(run.validations, bleu.size());
    EXPECT_TRUE(std::filesystem::exists(run.path("best.heed")));
    EXPECT_NE(run.train(bleu).find("nothing to do"), std::string::npos);
  }
}

TEST(Trainer, ASignalSavesAndTheRunGoesOnFromThere) {
  TinyRun whole, stopped;
  whole.config.train.updates = stopped.config.train.updates = 7;
  whole.train({20});
  int asked = 0;
  stopped.stop_requested = [&asked] { return ++asked == 3; };
  EXPECT_EQ(stopped.train({20}), "stopped by signal, run again to go on");
  EXPECT_EQ(stopped.state.update, 3);
  EXPECT_EQ(stopped.validations, 0u);
  stopped.train({20});
  EXPECT_TRUE(tensor_bytes(whole) == tensor_bytes(stopped));
}

TEST(Trainer, ALossThatIsNotFiniteStopsAtOnceAndKeepsWhatWasSaved) {
  TinyRun run;
  run.config.train.updates = 4;
  run.train({20});
  const std::string best = read_file(run.path("best.heed")),
                    last = read_file(run.path("last.heed"));
  run.config.train.updates = 100;
  run.config.train.valid_every = 50;
  run.config.train.optimizer = "sgd";
  run.config.train.clip_norm = 0;
  run.config.train.learning_rate = sizeof(Real) == 4 ? 3e38 : 1e308;
  const std::string message = user_error([&] { run.train({20}); });
  EXPECT_EQ(message.rfind("update ", 0), 0u) << message;
  EXPECT_NE(message.find("(learning rate "), std::string::npos) << message;
  EXPECT_NE(message.find("the best model so far is " + run.path("best.heed")), std::string::npos)
      << message;
  EXPECT_NE(message.find("lower train.learning_rate or train.clip_norm"), std::string::npos);
  EXPECT_TRUE(read_file(run.path("best.heed")) == best);
  EXPECT_TRUE(read_file(run.path("last.heed")) == last);
}

TEST(Trainer, AFullDiskSaysFromWhereTheRunGoesOn) {
  TinyRun run;
  run.config.train.updates = 8;
  std::filesystem::create_symlink("/dev/full", run.path("best.heed"));
  const std::string at_best =
      "/dev/full: cannot write: No space left on device; make room there "
      "and run the same command again: it ";
  EXPECT_EQ(user_error([&] { run.train({20}); }), at_best + "starts anew");
  std::filesystem::remove(run.path("best.heed"));
  run.train({20});
  std::filesystem::remove(run.path("best.heed"));
  std::filesystem::create_symlink("/dev/full", run.path("best.heed"));
  run.config.train.updates = 12;
  EXPECT_EQ(user_error([&] { run.train({30}); }), at_best + "goes on from update 8");
}

TEST(Trainer, MinutesCountFromTheStartOfTheCommand) {
  TinyRun run;
  run.config.train.minutes = 10;
  run.config.train.updates = 1;
  run.started = std::chrono::steady_clock::now() - std::chrono::minutes(5);
  run.train({20});
  EXPECT_GE(run.state.minutes, 5);
  EXPECT_LT(run.state.minutes, 6);
}

TEST(Trainer, MinutesThatEndBeforeTheFirstUpdateAreAnError) {
  TinyRun run;
  run.config.train.minutes = 10;
  run.started = std::chrono::steady_clock::now() - std::chrono::minutes(10);
  EXPECT_EQ(user_error([&] { run.train({20}); }),
            "train.minutes = 10 reached before the first update: there is no model; raise it");
  EXPECT_FALSE(std::filesystem::exists(run.path("best.heed")));
}

TEST(Trainer, SavesAtTheEndOfAnEpochToo) {
  TinyRun run;
  run.config.train.save_every = 5;  // an epoch has 5 batches
  int updates = 0;
  run.stop_requested = [&] {
    if (++updates == 5) {
      EXPECT_TRUE(std::filesystem::exists(run.path("last.heed")));
    }
    return updates == 5;
  };
  run.train({});
  EXPECT_EQ(updates, 5);
}

TEST(Trainer, OtherDataStartsTheEpochFromItsBeginning) {
  TinyRun run;
  run.config.train.updates = 7;
  run.train({});
  EXPECT_EQ(run.state.position, 2);
  run.corpus = run.make_corpus(8, 2);  // 2 batches per epoch
  run.config.train.updates = 8;
  run.train({});
  EXPECT_EQ(run.state.epoch, 1);
  EXPECT_EQ(run.state.position, 1);
}

TEST(Trainer, ANewMetricStartsWithoutABestValue) {
  TinyRun run;
  run.config.train.updates = 4;
  run.train({20});
  run.config.train.metric = "cross_entropy";
  run.config.train.updates = 8;
  run.train({10});
  EXPECT_EQ(run.state.metric, "cross_entropy");
  EXPECT_EQ(run.state.saved, (BestValue{0.9, 8, 0}));
}

TEST(Trainer, TheLogHasNoUpdateTwice) {
  TinyRun run;
  run.config.train.report_every = 2;
  run.config.train.updates = 4;
  run.train({10});
  write_file(run.path("log.jsonl"),
             read_file(run.path("log.jsonl")) + "{\"type\": \"train\", \"update\": 6}\n");
  run.config.train.updates = 6;
  run.train({10});
  std::vector<int64_t> updates;
  for (const auto& line : log_of(run)) {
    if (line.at("type") == "train") updates.push_back(line.at("update").get<int64_t>());
  }
  EXPECT_EQ(updates, (std::vector<int64_t>{2, 4, 6}));
}

}  // namespace
}  // namespace heed
