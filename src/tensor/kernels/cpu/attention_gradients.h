// The further operands of attention's backward pass; kernels.h has their shapes.
#pragma once

#include "base/real.h"

namespace heed::kernels {

struct AttentionGradientPointers {
  const Real *weights, *dcontext, *dweights;  // dweights may be null
  Real *dqueries, *dkeys, *dvalues, *dv_rows;
};

}  // namespace heed::kernels
