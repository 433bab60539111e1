#include "train/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/golden.h"
#include "tensor/transfer.h"
#include "train/gradients.h"
#include "train/user_error.h"

namespace heed {
namespace {

using test::golden_tensor;

// A store of one parameter of the golden's size, at its start.
class Optimizers : public testing::Test {
 protected:
  const test::Golden golden_ = test::load_golden("optimizers");
  const test::GoldenTensor gradients_ = golden_tensor(golden_.at("gradients"));
  const int64_t n_ = gradients_.shape[1];

  // Largest difference from torch.optim over all updates; gradients are stored times 2 and
  // scaled by 1/2.
  double largest_difference(const std::string& name, const TrainConfig& config) {
    ParameterStore store;
    Parameter& p = store.add("p", {n_}, Init::zero);
    store.allocate(true);
    store.initialise(1);
    const auto start = golden_tensor(golden_.at("start")).data;
    for (int64_t i = 0; i < n_; ++i)
      p.value.data[i] = static_cast<Real>(start[static_cast<size_t>(i)]);
    const auto optimizer = make_optimizer(config, store);
    const auto after = golden_tensor(golden_.at(name).at("parameters")).data;
    double largest = 0;
    for (int64_t k = 0; k < gradients_.shape[0]; ++k) {
      for (int64_t i = 0; i < n_; ++i) {
        p.gradient.data[i] =
            static_cast<Real>(2 * gradients_.data[static_cast<size_t>(k * n_ + i)]);
      }
      optimizer->step(store, Real(0.5), config.learning_rate);
      for (int64_t i = 0; i < n_; ++i) {
        const double expected = after[static_cast<size_t>(k * n_ + i)];
        largest = std::max(largest, std::abs(static_cast<double>(p.value.data[i]) - expected));
      }
    }
    EXPECT_EQ(optimizer->steps(), gradients_.shape[0]);
    return largest;
  }

  // The settings of a golden.
  TrainConfig config_of(const std::string& name, const std::string& optimizer) {
    const auto& settings = golden_.at(name).at("settings");
    TrainConfig config;
    config.optimizer = optimizer;
    config.learning_rate = settings.at("lr");
    config.momentum = settings.value("momentum", 0.0);
    if (optimizer == "adam") {
      config.beta1 = settings.at("betas").at(0);
      config.beta2 = settings.at("betas").at(1);
      config.epsilon = settings.at("eps");
    }
    if (optimizer == "adadelta") {
      config.rho = settings.at("rho");
      config.adadelta_epsilon = settings.at("eps");
    }
    return config;
  }
};

TEST_F(Optimizers, StepAsTorchDoes) {
  const std::pair<const char*, const char*> cases[] = {{"adam", "adam"},
                                                       {"sgd", "sgd"},
                                                       {"sgd_momentum", "sgd"},
                                                       {"adadelta", "adadelta"},
                                                       {"adadelta_half", "adadelta"}};
  for (const auto& [name, optimizer] : cases) {
    EXPECT_LT(largest_difference(name, config_of(name, optimizer)), 1e-6) << name;
  }
}

TEST_F(Optimizers, UnknownNameListsTheKnown) {
  TrainConfig config;
  config.optimizer = "adagrad";
  EXPECT_EQ(test::user_error([&] { make_optimizer(config, ParameterStore{}); }),
            "train.optimizer: unknown optimizer 'adagrad'; known: adam, sgd, adadelta");
}

TEST(ClipScale, BringsTheNormDownToTheLimitAndNeverUp) {
  EXPECT_DOUBLE_EQ(clip_scale(4, 1), 0.25);
  EXPECT_DOUBLE_EQ(clip_scale(0.5, 1), 1);
  EXPECT_DOUBLE_EQ(clip_scale(4, 0), 1);
}

TEST(GradientNorm, IsTheRootOfTheSumOfSquaresOfAllParameters) {
  ParameterStore store;
  Parameter& a = store.add("a", {1}, Init::zero);
  Parameter& b = store.add("b", {2}, Init::zero);
  store.allocate(true);
  store.initialise(1);
  a.gradient.data[0] = 2;
  b.gradient.data[0] = -3;
  b.gradient.data[1] = 6;
  Arena arena;
  const auto norm = [&] {
    const Sums square = arena.array<double>({1});
    sum_squared_gradients(store, square);
    return std::sqrt(download(square)[0]);
  };
  EXPECT_DOUBLE_EQ(norm(), 7);  // 4 + 9 + 36 = 49
  b.gradient.data[1] = std::numeric_limits<Real>::infinity();
  EXPECT_TRUE(std::isinf(norm()));
}

}  // namespace
}  // namespace heed
