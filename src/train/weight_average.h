// An exponential moving average of the weights over the updates (Polyak & Juditsky 1992). If
// train.weight_average is set, validation and best.heed use it instead of the last weights.
#pragma once

#include <cstdint>

#include "autograd/parameters.h"
#include "tensor/arena.h"

namespace heed {

class WeightAverage {
 public:
  // Starts at the present weights. decay 0: off, nothing is kept. `store` must outlive it.
  WeightAverage(double decay, ParameterStore& store);

  // Call it after update number `update` (from 1): average += (1 - d) (weights - average) with
  // d = min(decay, update / (update + 9)), so that the first updates soon lose their influence.
  void follow(int64_t update);

  // Flat, in the layout of the store; empty when off.
  const Tensor& values() const { return values_; }

  // While it lives, the store holds the average and values() the weights. No effect when off.
  class InPlace {
   public:
    explicit InPlace(WeightAverage& average) : average_(average) { average_.exchange(); }
    ~InPlace() { average_.exchange(); }
    InPlace(const InPlace&) = delete;
    InPlace& operator=(const InPlace&) = delete;

   private:
    WeightAverage& average_;
  };

 private:
  void exchange();

  double decay_;
  ParameterStore& store_;
  Arena memory_;
  Tensor values_;
};

}  // namespace heed
