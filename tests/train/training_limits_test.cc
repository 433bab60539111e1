#include "train/training_limits.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

class Limits : public ::testing::Test {
 protected:
  Limits() {
    config_.epochs = 0;
    config_.patience = 0;
  }

  TrainingLimits limits() const { return {config_, find_validation_metric("bleu")}; }
  ReachedLimit reached(double minutes = 0) const {
    return limits().reached(state_, minutes).value_or(ReachedLimit{"none", "none"});
  }

  TrainConfig config_;
  TrainingState state_;
};

TEST_F(Limits, AreNoneIfNothingIsSet) {
  state_.update = state_.epoch = state_.regular.not_better = 1'000'000;
  EXPECT_FALSE(limits().reached(state_, 1e9));
  EXPECT_EQ(limits().fraction_done(state_, 0.5, 1e9), -1);
}

TEST_F(Limits, NameTheirKeyAndSayWhatIsReached) {
  config_.updates = 10;
  config_.epochs = 3;
  config_.minutes = 5;
  state_.update = 9;
  state_.epoch = 2;
  EXPECT_EQ(reached(4.9).key, "none");
  EXPECT_EQ(reached(5).key, "train.minutes");
  EXPECT_EQ(reached(5).message, "train.minutes = 5 reached");
  state_.epoch = 3;
  EXPECT_EQ(reached(5).message, "train.epochs = 3 reached");
  state_.update = 10;
  EXPECT_EQ(reached(5).message, "train.updates = 10 reached");
}

TEST_F(Limits, PatienceComesBeforeAllOthers) {
  config_.updates = 1;
  config_.patience = 2;
  state_.update = 40;
  state_.regular.not_better = 1;
  EXPECT_EQ(reached().key, "train.updates");
  state_.regular.not_better = 2;
  EXPECT_EQ(reached().key, "train.patience");
  EXPECT_EQ(reached().message, "no better bleu in 2 validations (no value yet)");
  state_.regular = {21.304, 20, 2};
  EXPECT_EQ(reached().message, "no better bleu in 2 validations (best 21.30 at update 20)");
}

TEST_F(Limits, TheFractionIsThatOfTheLimitThatIsClosest) {
  config_.updates = 100;
  state_.update = 25;
  EXPECT_DOUBLE_EQ(limits().planned_fraction(state_, 0.5), 0.25);
  config_.epochs = 4;
  state_.epoch = 1;
  EXPECT_DOUBLE_EQ(limits().planned_fraction(state_, 0.5), 1.5 / 4);
  config_.minutes = 10;
  EXPECT_DOUBLE_EQ(limits().fraction_done(state_, 0.5, 1), 1.5 / 4);
  EXPECT_DOUBLE_EQ(limits().fraction_done(state_, 0.5, 9), 0.9);
  EXPECT_DOUBLE_EQ(limits().planned_fraction(state_, 0.5), 1.5 / 4) << "no clock";
}

}  // namespace
}  // namespace heed
