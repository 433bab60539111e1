// The settings of one Adadelta step.
#pragma once

namespace heed::kernels {

struct AdadeltaStep {
  double learning_rate, rho, epsilon;
};

}  // namespace heed::kernels
