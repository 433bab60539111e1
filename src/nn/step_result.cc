#include "nn/step_result.h"

#include "tensor/kernels/kernels.h"

namespace heed {

TopColumns StepResult::top(int64_t k, Arena& scratch) const {
  scratch.reset();
  const Shape shape{log_probabilities.shape[0], k};
  const Tensor values = scratch.tensor(shape);
  const View<int32_t> columns = scratch.array<int32_t>(shape);
  kernels::top_k(log_probabilities, k, values, columns);
  return {k, download(values), download(Ids(columns))};
}

Real StepResult::at(int64_t row, int64_t column) const {
  return item(log_probabilities.part(row * log_probabilities.shape.last() + column, {}));
}

}  // namespace heed
