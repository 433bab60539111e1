// Optimizers: how a gradient changes the parameters. The kernels do the arithmetic, in one pass
// over flat memory; here are the settings, the moments and the table of names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "autograd/parameters.h"
#include "config/config.h"
#include "tensor/arena.h"
#include "train/safetensors.h"

namespace heed {

class Optimizer {
 public:
  virtual ~Optimizer() = default;

  // One update of all parameters from store.gradients() times gradient_scale.
  virtual void step(ParameterStore& store, Real gradient_scale, double learning_rate) = 0;

  const std::string& name() const { return name_; }
  // State kept between steps: flat tensors in the layout of the store, initially zero, which are
  // saved and restored under their names.
  const std::vector<NamedTensor>& moments() const { return moments_; }
  int64_t steps() const { return steps_; }  // taken so far
  void set_steps(int64_t steps) { steps_ = steps; }

 protected:
  // `store` is the one that it will update.
  Optimizer(std::string name, const ParameterStore& store, const std::vector<std::string>& moments);
  const Tensor& moment(size_t index) const { return moments_[index].values; }
  int64_t steps_ = 0;

 private:
  std::string name_;
  Arena memory_;
  std::vector<NamedTensor> moments_;
};

// The optimizer that config.optimizer names. Throws UserError "train.optimizer: unknown optimizer
// 'x'; known: ...".
std::unique_ptr<Optimizer> make_optimizer(const TrainConfig& config, const ParameterStore& store);

// The factor by which gradients of this norm are scaled to a norm of at most clip_norm (0: no
// clipping). Pascanu et al. 2013, algorithm 1.
double clip_scale(double norm, double clip_norm);

}  // namespace heed
