#include "train/update.h"

#include <gtest/gtest.h>

#include <limits>

#include "train/tiny_run.h"

namespace heed {
namespace {

class UpdaterTest : public ::testing::Test {
 protected:
  UpdaterTest() {
    run_.config.train.optimizer = "sgd";
    run_.config.train.momentum = 0;
    run_.config.train.dropout = {};
    run_.load();
  }

  Batch batch() const { return make_batch(run_.corpus.pairs(std::vector<int64_t>{0, 1, 2})); }
  std::vector<Real> copy_of(const Tensor& tensor) const {
    return {tensor.data, tensor.data + tensor.size()};
  }

  test::TinyRun run_;
};

// Stochastic gradient descent: weights -= rate * min(1, clip_norm / norm) * gradient.
TEST_F(UpdaterTest, MovesTheWeightsAgainstTheClippedGradient) {
  ParameterStore& store = run_.model->parameters();
  for (const double clip_norm : {0.0, 1e-3}) {
    run_.config.train.clip_norm = clip_norm;
    Updater updater(run_.config, *run_.model);
    const std::vector<Real> before = copy_of(store.values());
    const GradientFigures figures = updater.update(batch(), 1, 0.5);
    EXPECT_EQ(updater.optimizer().steps(), 1);
    ASSERT_GT(figures.norm, 1e-3);
    const double factor = 0.5 * (clip_norm > 0 ? clip_norm / figures.norm : 1);
    for (size_t i = 0; i < before.size(); ++i)
      ASSERT_NEAR(
          store.values().data[i],
          static_cast<double>(before[i]) - factor * static_cast<double>(store.gradients().data[i]),
          1e-6);
  }
}

TEST_F(UpdaterTest, FollowsWithTheAverage) {
  run_.config.train.weight_average = 0.9;
  ParameterStore& store = run_.model->parameters();
  Updater updater(run_.config, *run_.model);
  const std::vector<Real> before = copy_of(store.values());
  updater.update(batch(), 1, 0.5);
  const std::vector<Real> average = copy_of(updater.average().values());
  for (size_t i = 0; i < before.size(); ++i)  // d = min(0.9, 1 / (1 + 9))
    ASSERT_NEAR(
        average[i],
        0.1 * static_cast<double>(before[i]) + 0.9 * static_cast<double>(store.values().data[i]),
        1e-6);
}

TEST_F(UpdaterTest, LeavesTheWeightsIfTheGradientIsNotFinite) {
  ParameterStore& store = run_.model->parameters();
  kernels::fill(store.values(), std::numeric_limits<Real>::infinity());
  static_cast<void>(store.update());
  Updater updater(run_.config, *run_.model);
  const std::vector<Real> before = copy_of(store.values());
  EXPECT_FALSE(updater.update(batch(), 1, 0.5).is_finite());
  EXPECT_EQ(copy_of(store.values()), before);
  EXPECT_EQ(updater.optimizer().steps(), 0);
}

}  // namespace
}  // namespace heed
