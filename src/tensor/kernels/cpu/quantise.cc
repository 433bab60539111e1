// Weights as 8-bit whole numbers for files; what a packed product does on its own account is in
// gemm.cc.
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
  if (by_columns) return quantise_columns(x.data, rows, columns, columns, whole, scales.data);
  for (int64_t i = 0; i < rows; ++i)
    scales.data[i] = quantise(x.data + i * columns, whole + i * columns, columns);
}

void dequantise(const int8_t* whole, const Tensor& scales, bool by_columns, Tensor x) {
  require_scales("dequantise", x, by_columns, scales);
  const int64_t rows = rows_of(x), columns = x.shape.last();
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      x.data[i * columns + j] =
          static_cast<Real>(whole[i * columns + j]) * scales.data[by_columns ? j : i];
}

}  // namespace heed::kernels
