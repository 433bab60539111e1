// One training update: the gradients of a batch, their clipping, the optimizer's step, and the
// average of the weights.
#pragma once

#include <cstdint>
#include <memory>

#include "config/config.h"
#include "nn/model.h"
#include "tensor/arena.h"
#include "train/gradients.h"
#include "train/optimizer.h"
#include "train/weight_average.h"

namespace heed {

class Updater {
 public:
  // Makes the optimizer and the average of config.train. The model has its parameters, with
  // gradients. Both must outlive the Updater.
  Updater(const Config& config, Model& model);

  // Makes update number `update` (from 1; it seeds the dropout masks) and returns its figures. If
  // the loss or the norm of the gradient is not finite, the weights are left as they were.
  GradientFigures update(const Batch& batch, int64_t update, double learning_rate);

  Optimizer& optimizer() { return *optimizer_; }
  const Optimizer& optimizer() const { return *optimizer_; }
  WeightAverage& average() { return average_; }

 private:
  const Config& config_;
  Model& model_;
  std::unique_ptr<Optimizer> optimizer_;
  WeightAverage average_;
  Arena arena_;
};

}  // namespace heed
