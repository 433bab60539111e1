#include "train/schedule.h"

#include <gtest/gtest.h>

#include "train/user_error.h"

namespace heed {
namespace {

TrainConfig settings(const char* schedule, int warmup) {
  TrainConfig config;
  config.learning_rate = 0.01;
  config.schedule = schedule;
  config.warmup = warmup;
  return config;
}

TEST(Schedule, ConstantStaysAtTheRate) {
  const Schedule schedule(settings("constant", 0));
  EXPECT_DOUBLE_EQ(schedule.rate(1, 0), 0.01);
  EXPECT_DOUBLE_EQ(schedule.rate(100000, 0), 0.01);
}

TEST(Schedule, WarmUpIsLinearForEverySchedule) {
  for (const char* name : {"constant", "inverse_sqrt", "linear", "plateau"}) {
    const Schedule schedule(settings(name, 4));
    EXPECT_DOUBLE_EQ(schedule.rate(1, 0), 0.0025) << name;
    EXPECT_DOUBLE_EQ(schedule.rate(2, 0), 0.005) << name;
    EXPECT_DOUBLE_EQ(schedule.rate(3, 0), 0.0075) << name;
    EXPECT_DOUBLE_EQ(schedule.rate(4, 0), 0.01) << name;
  }
}

// 0.01 sqrt(4 / 16) = 0.005; 0.01 sqrt(4 / 400) = 0.001.
TEST(Schedule, InverseSquareRootFallsFromTheEndOfTheWarmUp) {
  TrainConfig config = settings("inverse_sqrt", 4);
  EXPECT_DOUBLE_EQ(Schedule(config).rate(16, 0), 0.005);
  EXPECT_DOUBLE_EQ(Schedule(config).rate(400, 0), 0.001);
  config.min_learning_rate = 0.002;
  EXPECT_DOUBLE_EQ(Schedule(config).rate(400, 0), 0.002);
}

// 0.01 (1 - 0.25) = 0.0075; past its end it stays at 0.
TEST(Schedule, LinearFallsToZeroAtTheEndOfThePlan) {
  TrainConfig config = settings("linear", 4);
  EXPECT_DOUBLE_EQ(Schedule(config).rate(4, 0), 0.01);
  EXPECT_DOUBLE_EQ(Schedule(config).rate(16, 0.25), 0.0075);
  EXPECT_DOUBLE_EQ(Schedule(config).rate(16, 1), 0);
  EXPECT_DOUBLE_EQ(Schedule(config).rate(16, 2), 0);
  config.min_learning_rate = 0.002;
  EXPECT_DOUBLE_EQ(Schedule(config).rate(16, 0.9), 0.002);
}

TEST(Schedule, PlateauWithoutPatienceDecaysAtTheFirstValidationThatIsNotBetter) {
  Schedule schedule(settings("plateau", 0));
  EXPECT_FALSE(schedule.validated(true));
  EXPECT_TRUE(schedule.validated(false));
  EXPECT_DOUBLE_EQ(schedule.rate(10, 0), 0.005);
  EXPECT_TRUE(schedule.validated(false));
  EXPECT_DOUBLE_EQ(schedule.rate(11, 0), 0.0025);
}

TEST(Schedule, PlateauDecaysWhenMoreThanItsPatienceWereNotBetterInARow) {
  TrainConfig config = settings("plateau", 0);
  config.decay_patience = 2;
  Schedule schedule(config);
  for (const bool better : {false, false, true, false, false}) {
    EXPECT_FALSE(schedule.validated(better));
  }
  EXPECT_TRUE(schedule.validated(false));
  // Counted anew after a decay.
  EXPECT_FALSE(schedule.validated(false));
  EXPECT_FALSE(schedule.validated(false));
  EXPECT_TRUE(schedule.validated(false));
  EXPECT_DOUBLE_EQ(schedule.rate(1, 0), 0.0025);
}

TEST(Schedule, PlateauStopsAtTheLeastRate) {
  TrainConfig config = settings("plateau", 0);
  config.min_learning_rate = 0.004;
  Schedule schedule(config);
  EXPECT_TRUE(schedule.validated(false));
  EXPECT_TRUE(schedule.validated(false));
  EXPECT_DOUBLE_EQ(schedule.rate(1, 0), 0.004);
  EXPECT_FALSE(schedule.validated(false));
  EXPECT_DOUBLE_EQ(schedule.state().factor, 0.25);
}

TEST(Schedule, OthersDoNotListenToValidation) {
  Schedule schedule(settings("constant", 0));
  EXPECT_FALSE(schedule.validated(false));
  EXPECT_DOUBLE_EQ(schedule.rate(5, 0), 0.01);
}

TEST(Schedule, GoesOnFromItsState) {
  TrainConfig config = settings("plateau", 0);
  config.decay_patience = 1;
  Schedule first(config);
  first.validated(false);
  Schedule second(config);
  second.set_state(first.state());
  EXPECT_TRUE(second.validated(false));
}

TEST(Schedule, UnknownNameListsTheKnown) {
  EXPECT_EQ(
      test::user_error([] { Schedule schedule(settings("cosine", 0)); }),
      "train.schedule: unknown schedule 'cosine'; known: constant, inverse_sqrt, linear, plateau");
}

}  // namespace
}  // namespace heed
