// Copies of rows and columns: concatenation, beam reordering, embedding look-up and its gradient.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/rows.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <cstring>
#include <limits>

#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/rows.h"
#include "tensor/kernels/cpu/simd/ranges-inl.h"

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(add_range);
HWY_EXPORT(scale_range);
HWY_EXPORT(add_scaled_range);

namespace {

void copy_elements(const Real* from, Real* to, int64_t n) {
  if (n > 0) std::memcpy(to, from, static_cast<size_t>(n) * sizeof(Real));
}

}  // namespace

void copy_into_columns(const Tensor& x, int64_t offset, const Tensor& y) {
  const int64_t n = x.shape.last(), stride = y.shape.last();
  parallel_for(rows_of(x), row_grain(n), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      copy_elements(x.data + row * n, y.data + row * stride + offset, n);
  });
}

void add_from_columns(const Tensor& dy, int64_t offset, const Tensor& dx) {
  const int64_t n = dx.shape.last(), stride = dy.shape.last();
  parallel_for(rows_of(dx), row_grain(n), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      HWY_DYNAMIC_DISPATCH(add_range)(dy.data + row * stride + offset, dx.data + row * n, n);
  });
}

void add_scaled_rows(const Tensor& factors, const Tensor& x, const Tensor& y) {
  const int64_t rows = rows_of(x), n = x.shape.last();
  parallel_for(rows, row_grain(n), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      if (factors.data[i] != 0)
        HWY_DYNAMIC_DISPATCH(add_scaled_range)(factors.data[i], x.data + i * n, y.data + i * n, n);
  });
}

void gather_rows(const Tensor& x, const Ids& rows, const Tensor& y, Real factor) {
  const int64_t n = x.shape.last(), count = rows.size();
  parallel_for(count, row_grain(n), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Real* from = x.data + rows.data[i] * n;
      if (factor == 1)
        copy_elements(from, y.data + i * n, n);
      else
        HWY_DYNAMIC_DISPATCH(scale_range)(factor, from, y.data + i * n, n);
    }
  });
}

void scatter_add_rows(const Tensor& dy, const Ids& rows, const Tensor& dx, Real factor) {
  // Cut by columns, so that two chunks never add to the same element and the order of i holds.
  constexpr int64_t kColumns = 128;
  const int64_t n = dx.shape.last(), count = rows.size();
  parallel_for(n, kColumns, [&](int64_t begin, int64_t end) {
    for (int64_t i = 0; i < count; ++i) HWY_DYNAMIC_DISPATCH(add_scaled_range)
    (factor, dy.data + i * n + begin, dx.data + rows.data[i] * n + begin, end - begin);
  });
}

void pick(const Tensor& x, const Ids& columns, const Tensor& y) {
  const int64_t rows = x.shape.rows(), n = x.shape.last();
  for (int64_t row = 0; row < rows; ++row)
    y.data[row] = columns.data[row] < 0 ? Real(0) : x.data[row * n + columns.data[row]];
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
