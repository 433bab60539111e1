// Optimizers: how a gradient changes the parameters. Each is one pass over flat memory in kernels;
// here are their settings, their moments and the table of names.
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
  // State kept between steps, as flat tensors of the store's layout, zero at first; saved and
  // restored under their names.
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

// The optimizer that config.optimizer names. Throws UserError "train.optimizer: unknown ... ;
// known: ...".
std::unique_ptr<Optimizer> make_optimizer(const TrainConfig& config, const ParameterStore& store);

// What gradients are multiplied by so that their norm is at most clip_norm (0: never clipped).
// Pascanu et al. 2013, alg. 1.
double clip_scale(double norm, double clip_norm);

}  // namespace heed
