// Weights as 8-bit whole numbers for files; what a packed product does on its own account is in
// gemm.cc.
#include <algorithm>
#include <vector>

#include "tensor/kernels/cpu/checks.h"
#include "tensor/kernels/cpu/narrow.h"
#include "tensor/kernels/kernels.h"

namespace heed::kernels {
namespace {

void require_scales(const char* kernel, const Tensor& x, bool by_columns, const Tensor& scales) {
  require_size(kernel, "scales", scales, by_columns ? x.shape.last() : rows_of(x));
}

}  // namespace

void quantise(const Tensor& x, bool by_columns, int8_t* whole, Tensor scales) {
  require_scales("quantise", x, by_columns, scales);
  const int64_t rows = rows_of(x), columns = x.shape.last();
  if (!by_columns) {
    for (int64_t i = 0; i < rows; ++i)
      scales.data[i] = quantise(x.data + i * columns, whole + i * columns, columns);
    return;
  }
  std::vector<Real> column(static_cast<size_t>(rows));
  std::vector<int8_t> numbers(column.size());
  for (int64_t j = 0; j < columns; ++j) {
    for (int64_t i = 0; i < rows; ++i) column[static_cast<size_t>(i)] = x.data[i * columns + j];
    scales.data[j] = quantise(column.data(), numbers.data(), rows);
    for (int64_t i = 0; i < rows; ++i) whole[i * columns + j] = numbers[static_cast<size_t>(i)];
  }
}

void dequantise(const int8_t* whole, const Tensor& scales, bool by_columns, Tensor x) {
  require_scales("dequantise", x, by_columns, scales);
  const int64_t columns = x.shape.last();
  for (int64_t i = 0; i < x.size(); ++i)
    x.data[i] = static_cast<Real>(whole[i]) * scales.data[by_columns ? i % columns : i / columns];
}

}  // namespace heed::kernels
