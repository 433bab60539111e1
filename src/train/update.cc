#include "train/update.h"

namespace heed {

Updater::Updater(const Config& config, Model& model)
    : config_(config),
      model_(model),
      optimizer_(make_optimizer(config.train, model.parameters())),
      average_(config.train.weight_average, model.parameters()),
      arena_(model.device()) {}

GradientFigures Updater::update(const Batch& batch, int64_t update, double learning_rate) {
  const GradientFigures figures =
      compute_gradients(model_, arena_, batch, forward_options(config_, update));
  if (!figures.is_finite()) return figures;
  const double scale = clip_scale(figures.norm, config_.train.clip_norm);
  optimizer_->step(model_.parameters(), static_cast<Real>(scale), learning_rate);
  average_.follow(update);
  return figures;
}

}  // namespace heed
