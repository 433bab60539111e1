#include "train/training_saves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "train/tiny_run.h"
#include "train/training_resume.h"
#include "train/user_error.h"

namespace heed {
namespace {

class Saves : public ::testing::Test {
 protected:
  Saves() {
    run_.config.train.optimizer = "adam";
    run_.config.train.weight_average = 0.5;
    run_.load();
    state_.metric = "bleu";
    state_.optimizer = "adam";
    state_.data_order = 7;
  }

  // Makes `updates` updates and says so in the state.
  void train(Updater& updater, int64_t updates) {
    const std::vector<int64_t> pairs{0, 1, 2};
    for (int64_t i = 0; i < updates; ++i)
      updater.update(make_batch(run_.corpus.pairs(pairs)), ++state_.update, 0.01);
    state_.optimizer_steps = updater.optimizer().steps();
  }

  static std::vector<Real> copy_of(const Tensor& tensor) {
    return {tensor.data, tensor.data + tensor.size()};
  }
  std::vector<Real> weights() { return copy_of(run_.model->parameters().values()); }

  test::TinyRun run_;
  TrainingState state_;
};

TEST_F(Saves, TheBestModelIsTheAverageAndTheLastTheWeights) {
  Updater updater(run_.config, *run_.model);
  TrainingSaves saves(run_.contents(), updater);
  EXPECT_FALSE(saves.has_best() || saves.has_last());
  EXPECT_EQ(saves.last_update(), -1);
  train(updater, 3);
  const std::vector<Real> before = weights();
  const std::vector<Real> average = copy_of(updater.average().values());
  ASSERT_NE(before, average);
  saves.save_best(state_);
  saves.save_last(state_);
  EXPECT_TRUE(saves.has_best() && saves.has_last());
  EXPECT_EQ(saves.last_update(), 3);
  EXPECT_EQ(weights(), before);
  EXPECT_EQ(copy_of(load_model(saves.best_path()).model->parameters().values()), average);
  EXPECT_EQ(copy_of(load_model(saves.last_path()).model->parameters().values()), before);
}

TEST_F(Saves, AFullDiskIsReportedWithTheUpdateToGoOnFrom) {
  Updater updater(run_.config, *run_.model);
  TrainingSaves saves(run_.contents(), updater);
  std::filesystem::create_symlink("/dev/full", saves.best_path());
  const std::string start =
      "/dev/full: cannot write: No space left on device; make room there "
      "and run the same command again: it ";
  EXPECT_EQ(test::user_error([&] { saves.save_best(state_); }), start + "starts anew");
  train(updater, 2);
  saves.save_last(state_);
  train(updater, 1);
  EXPECT_EQ(test::user_error([&] { saves.save_best(state_); }), start + "goes on from update 2");
}

TEST_F(Saves, AreWhatARunGoesOnFrom) {
  Updater first(run_.config, *run_.model);
  TrainingSaves saves(run_.contents(), first);
  state_.position = 3;
  state_.saved = state_.regular = {20.0, 2, 0};
  train(first, 3);
  saves.save_last(state_);
  train(first, 1);
  const std::vector<Real> expected = weights();

  run_.load();
  Updater second(run_.config, *run_.model);
  TrainingSaves found(run_.contents(), second);
  const ResumedTraining resumed = resume_training(found, *run_.model, second, "bleu", 7);
  EXPECT_FALSE(resumed.restarted_epoch);
  EXPECT_EQ(found.last_update(), 3);
  EXPECT_EQ(resumed.state.position, 3);
  EXPECT_EQ(resumed.state.saved, state_.saved);
  state_ = resumed.state;
  train(second, 1);
  EXPECT_EQ(weights(), expected);
  EXPECT_EQ(copy_of(second.average().values()), copy_of(first.average().values()));
}

TEST_F(Saves, ThatNoLongerFitTheRunAreForgotten) {
  Updater updater(run_.config, *run_.model);
  TrainingSaves saves(run_.contents(), updater);
  state_.position = 3;
  state_.saved = state_.regular = {20.0, 2, 0};
  train(updater, 2);
  saves.save_last(state_);
  run_.config.train.optimizer = "sgd";
  Updater other(run_.config, *run_.model);
  const ResumedTraining resumed = resume_training(saves, *run_.model, other, "perplexity", 8);
  EXPECT_TRUE(resumed.restarted_epoch);
  EXPECT_EQ(resumed.state.position, 0);
  EXPECT_EQ(resumed.state.saved, BestValue{});
  EXPECT_EQ(resumed.state.regular, BestValue{});
  EXPECT_EQ(other.optimizer().steps(), 0);
}

}  // namespace
}  // namespace heed
