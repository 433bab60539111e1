// The complete model against an independent one (scripts/goldens/model.py): loss, attention, every
// gradient and ten updates.
#include <gtest/gtest.h>

#include "nn/model.h"
#include "support/golden.h"
#include "support/golden_model.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

class GoldenModel : public testing::TestWithParam<const char*> {
 protected:
  GoldenModel() : golden_(test::load_golden("model")), batch_(test::golden_batch(golden_)) {
    model_ = test::golden_model(golden_, GetParam());
  }
  const test::Golden& expected() const { return golden_.at(GetParam()); }
  LossResult loss(Tape& tape) {
    ForwardOptions options;
    options.label_smoothing = Real{0.1};
    return model_->loss(tape, batch_, options);
  }

  test::Golden golden_;
  Batch batch_;
  std::unique_ptr<Model> model_;
};

TEST_P(GoldenModel, GivesTheLossAndEveryGradient) {
  Arena arena;
  Tape tape(arena, true);
  const LossResult result = loss(tape);
  tape.backward(result.loss);
  EXPECT_NEAR(result.loss.value().data[0], test::golden_tensor(expected().at("loss")).data[0],
              1e-5);
  EXPECT_NEAR(download(result.totals)[1],
              test::golden_tensor(expected().at("cross_entropy")).data[0], 1e-4);
  EXPECT_EQ(result.tokens, golden_.at("batch").at("target_tokens").get<int64_t>());
  for (const auto& [name, json] : expected().at("gradients").items()) {
    const Parameter* p = model_->parameters().find(name);
    ASSERT_NE(p, nullptr) << name;
    const std::vector<double> gradient = test::golden_tensor(json).data;
    ASSERT_EQ(static_cast<int64_t>(gradient.size()), p->gradient.size()) << name;
    for (size_t i = 0; i < gradient.size(); ++i)
      EXPECT_NEAR(p->gradient.data[i], gradient[i], 1e-5) << name << " " << i;
  }
}

TEST_P(GoldenModel, ForcesTheSameProbabilitiesAndAttention) {
  Arena arena;
  Tape tape(arena, false);
  const Forced forced = model_->force(tape, batch_);
  const auto probability = test::golden_tensor(expected().at("target_log_probability")).data;
  const auto attention = test::golden_tensor(expected().at("attention")).data;
  for (int64_t t = 0; t < batch_.T; ++t)
    for (int64_t b = 0; b < batch_.B; ++b) {
      if (t >= batch_.target_length[static_cast<size_t>(b)]) continue;
      const int64_t row = t * batch_.B + b;
      EXPECT_NEAR(forced.token_log_probability.data[row], probability[static_cast<size_t>(row)],
                  1e-5);
      for (int64_t s = 0; s < batch_.S; ++s)
        EXPECT_NEAR(forced.attention.data[row * batch_.S + s],
                    attention[static_cast<size_t>(row * batch_.S + s)], 1e-5);
    }
}

TEST_P(GoldenModel, LearnsAlongTheSameCurve) {
  const auto losses = expected().at("losses").get<std::vector<double>>();
  ParameterStore& store = model_->parameters();
  Arena arena, moments;
  const Tensor m = moments.zeros({store.size()}), v = moments.zeros({store.size()});
  double power1 = 1, power2 = 1;
  for (const double expected_loss : losses) {
    arena.reset();
    kernels::fill(store.gradients(), 0);
    Tape tape(arena, true);
    const LossResult result = loss(tape);
    EXPECT_NEAR(result.loss.value().data[0], expected_loss, 2e-4);
    tape.backward(result.loss);
    power1 *= 0.9;
    power2 *= 0.999;
    kernels::adam(store.gradients(), 1, {0.01, 0.9, 0.999, 1e-8, 1 - power1, 1 - power2}, m, v,
                  store.values());
    static_cast<void>(store.update());
  }
}

INSTANTIATE_TEST_SUITE_P(Configurations, GoldenModel, testing::Values("A", "B"));

}  // namespace
}  // namespace heed
