// The CPU's kernels on rows and columns and its sums, of operands that were checked; kernels.h says
// what they compute.
#pragma once

#include "tensor/kernels/kernels.h"

namespace heed::kernels::cpu {

void sum_rows(const Tensor& dy, const Tensor& dbias);
void sum_of_squares(const Tensor& x, const Sums& total);
void dot_rows(const Tensor& a, const Tensor& b, double scale, const Tensor& y);

void copy_into_columns(const Tensor& x, int64_t offset, const Tensor& y);
void add_from_columns(const Tensor& dy, int64_t offset, const Tensor& dx);
void add_scaled_rows(const Tensor& factors, const Tensor& x, const Tensor& y);
void gather_rows(const Tensor& x, const Ids& rows, const Tensor& y, Real factor);
void scatter_add_rows(const Tensor& dy, const Ids& rows, const Tensor& dx, Real factor);
void pick(const Tensor& x, const Ids& columns, const Tensor& y);
// k > 0.
void top_k(const Tensor& x, int64_t k, const Tensor& values, const View<int32_t>& indices);

}  // namespace heed::kernels::cpu
