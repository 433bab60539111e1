// An exponential moving average of the weights over the updates (Polyak & Juditsky 1992): what
// validation and best.heed take in the place of the last weights when train.weight_average is set.
#pragma once

#include <cstdint>

#include "autograd/parameters.h"
#include "tensor/arena.h"

namespace heed {

class WeightAverage {
 public:
  // decay 0: off, nothing is kept. Starts at the weights as they are. `store` must outlive it.
  WeightAverage(double decay, ParameterStore& store);

  // After update number `update` (from 1): average += (1 - d) (weights - average) with
  // d = min(decay, update / (update + 9)), so that the first updates are soon forgotten.
  void follow(int64_t update);

  // Flat, of the store's layout; empty when off.
  const Tensor& values() const { return values_; }

  // While it lives, the store holds the average, and values() the weights. Nothing when off.
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
