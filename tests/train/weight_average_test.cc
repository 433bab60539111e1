#include "train/weight_average.h"

#include <gtest/gtest.h>

#include "train/tiny_run.h"

namespace heed {
namespace {

using test::TinyRun;

class WeightAverageTest : public ::testing::Test {
 protected:
  WeightAverageTest() {
    weight_ = &store_.add("w", {2}, Init::zero);
    store_.allocate(false);
  }
  void set(Real first, Real second) {
    weight_->value.data[0] = first;
    weight_->value.data[1] = second;
  }

  ParameterStore store_;
  Parameter* weight_;
};

TEST_F(WeightAverageTest, FollowsTheWeightsByOneMinusTheDecay) {
  set(1, -2);
  WeightAverage average(0.5, store_);
  set(3, 2);
  average.follow(1000);  // far from the start: 0.5 (1, -2) + 0.5 (3, 2)
  EXPECT_NEAR(average.values().data[0], 2, 1e-6);
  EXPECT_NEAR(average.values().data[1], 0, 1e-6);
  average.follow(1000);
  EXPECT_NEAR(average.values().data[0], 2.5, 1e-6);
}

TEST_F(WeightAverageTest, ForgetsTheFirstUpdatesSooner) {
  WeightAverage average(0.999, store_);
  set(1, 0);
  average.follow(1);  // decay 1 / 10
  EXPECT_NEAR(average.values().data[0], 0.9, 1e-6);
}

TEST_F(WeightAverageTest, StandsInForTheWeightsWhileItIsInPlace) {
  set(1, 2);
  WeightAverage average(0.5, store_);
  set(5, 6);
  {
    const WeightAverage::InPlace averaged(average);
    EXPECT_EQ(weight_->value.data[0], 1);
  }
  EXPECT_EQ(weight_->value.data[0], 5);
  EXPECT_EQ(average.values().data[1], 2);
}

TEST_F(WeightAverageTest, OffItKeepsNothing) {
  WeightAverage average(0, store_);
  EXPECT_TRUE(average.values().empty());
  set(5, 6);
  average.follow(3);
  const WeightAverage::InPlace averaged(average);
  EXPECT_EQ(weight_->value.data[0], 5);
}

TEST(WeightAverageOfARun, IsWhatValidationSeesAndWhatBestHolds) {
  TinyRun run;
  run.config.train.weight_average = 0.9;
  run.config.train.updates = 8;
  run.train({10, 20});
  const LoadedModel best = load_model(run.path("best.heed")),
                    last = load_model(run.path("last.heed"));
  const SafetensorsFile file(run.path("last.heed"));
  bool differs = false;
  for (const Parameter& p : best.model->parameters().parameters()) {
    std::vector<Real> average(static_cast<size_t>(p.value.size()));
    file.read("average." + p.name, Tensor{average.data(), p.value.shape, Device::cpu});
    const Real* weights = last.model->parameters().find(p.name)->value.data;
    for (int64_t i = 0; i < p.value.size(); ++i) {
      EXPECT_EQ(p.value.data[i], average[static_cast<size_t>(i)]) << p.name;
      differs = differs || p.value.data[i] != weights[i];
    }
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace heed
