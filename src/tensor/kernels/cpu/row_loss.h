// What cross-entropy gives for one row.
#pragma once

namespace heed::kernels::cpu {

struct RowLoss {
  double loss;  // with label smoothing
  double nll;   // without
};

}  // namespace heed::kernels::cpu
