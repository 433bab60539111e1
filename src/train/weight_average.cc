#include "train/weight_average.h"

#include <algorithm>

#include "autograd/profile.h"

namespace heed {

WeightAverage::WeightAverage(double decay, ParameterStore& store)
    : decay_(decay), store_(store), memory_(store.device()) {
  if (decay == 0) return;
  values_ = memory_.tensor({store.size()});
  kernels::copy(store.values(), values_);
}

void WeightAverage::follow(int64_t update) {
  if (values_.empty()) return;
  const OpScope scope("weight average");
  const double n = static_cast<double>(update), decay = std::min(decay_, n / (n + 9));
  kernels::move_towards(static_cast<Real>(1 - decay), store_.values(), values_);
}

void WeightAverage::exchange() {
  if (values_.empty()) return;
  const ParameterStore::Update changes = store_.update();
  kernels::swap(store_.values(), values_);
}

}  // namespace heed
