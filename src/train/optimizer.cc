#include "train/optimizer.h"

#include <cmath>
#include <utility>

#include "autograd/profile.h"
#include "base/error.h"
#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

// Kingma & Ba 2015, algorithm 1.
class Adam : public Optimizer {
 public:
  Adam(const TrainConfig& config, const ParameterStore& store)
      : Optimizer("adam", store, {"m", "v"}),
        beta1_(config.beta1),
        beta2_(config.beta2),
        epsilon_(config.epsilon) {}

  void step(ParameterStore& store, Real gradient_scale, double learning_rate) override {
    const OpScope scope("optimizer");
    const ParameterStore::Update changes = store.update();
    const double t = static_cast<double>(++steps_);
    const kernels::AdamStep settings{
        learning_rate, beta1_, beta2_, epsilon_, 1 - std::pow(beta1_, t), 1 - std::pow(beta2_, t)};
    kernels::adam(store.gradients(), gradient_scale, settings, moment(0), moment(1),
                  store.values());
  }

 private:
  double beta1_, beta2_, epsilon_;
};

class Sgd : public Optimizer {
 public:
  Sgd(const TrainConfig& config, const ParameterStore& store)
      : Optimizer("sgd", store, {"velocity"}), momentum_(config.momentum) {}

  void step(ParameterStore& store, Real gradient_scale, double learning_rate) override {
    const OpScope scope("optimizer");
    const ParameterStore::Update changes = store.update();
    ++steps_;
    kernels::sgd(store.gradients(), gradient_scale, {learning_rate, momentum_}, moment(0),
                 store.values());
  }

 private:
  double momentum_;
};

// Zeiler 2012, algorithm 1.
class Adadelta : public Optimizer {
 public:
  Adadelta(const TrainConfig& config, const ParameterStore& store)
      : Optimizer("adadelta", store, {"mean_square", "mean_square_update"}),
        rho_(config.rho),
        epsilon_(config.adadelta_epsilon) {}

  void step(ParameterStore& store, Real gradient_scale, double learning_rate) override {
    const OpScope scope("optimizer");
    const ParameterStore::Update changes = store.update();
    ++steps_;
    kernels::adadelta(store.gradients(), gradient_scale, {learning_rate, rho_, epsilon_}, moment(0),
                      moment(1), store.values());
  }

 private:
  double rho_, epsilon_;
};

template <typename T>
std::unique_ptr<Optimizer> make(const TrainConfig& config, const ParameterStore& store) {
  return std::make_unique<T>(config, store);
}

struct Row {
  const char* name;
  std::unique_ptr<Optimizer> (*make)(const TrainConfig&, const ParameterStore&);
};

// A new optimizer is a class above and a row here.
constexpr Row kOptimizers[] = {
    {"adam", make<Adam>},
    {"sgd", make<Sgd>},
    {"adadelta", make<Adadelta>},
};

}  // namespace

Optimizer::Optimizer(std::string name, const ParameterStore& store,
                     const std::vector<std::string>& moments)
    : name_(std::move(name)), memory_(store.device()) {
  for (const std::string& moment : moments)
    moments_.push_back({moment, memory_.zeros({store.size()})});
}

std::unique_ptr<Optimizer> make_optimizer(const TrainConfig& config, const ParameterStore& store) {
  std::string known;
  for (const Row& row : kOptimizers) {
    if (config.optimizer == row.name) return row.make(config, store);
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  fail("train.optimizer: unknown optimizer '{}'; known: {}", config.optimizer, known);
}

double clip_scale(double norm, double clip_norm) {
  return clip_norm > 0 && norm > clip_norm ? clip_norm / norm : 1.0;
}

}  // namespace heed
