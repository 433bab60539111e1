// Kernels on rows and columns, and sums.
#include "tensor/kernels/cpu/rows.h"

#include "tensor/kernels/checks.h"
#include "tensor/kernels/front/dispatch.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

// The columns of the narrow matrix must lie inside the wide one's, with equal rows.
void check_columns(const char* kernel, const Tensor& narrow, int64_t offset, const Tensor& wide) {
  const int64_t columns = narrow.shape.last();
  check(offset >= 0 && offset + columns <= wide.shape.last(),
        "[{}] the columns must lie inside the wider matrix. Received {}", kernel, narrow.shape);
  check(columns == 0 || narrow.shape.rows() == wide.shape.rows(),
        "[{}] both must have the same rows. Received {}", kernel, narrow.shape);
}

void check_rows(const char* kernel, const Tensor& table, const Ids& rows, const Tensor& picked) {
  check_matrix(kernel, "the picked rows", picked, rows.size(), table.shape.last());
  check_ids(kernel, rows, 0, table.shape.rows());
}

}  // namespace

void sum_rows(const Tensor& dy, Tensor dbias) {
  check_size("sum_rows", "dbias", dbias, dy.shape.last());
  count_elements(dy.size());
  on(device_of("sum_rows", dy, dbias), [&] { cpu::sum_rows(dy, dbias); });
}

void sum_of_squares(const Tensor& x, Sums total) {
  check_size("sum_of_squares", "total", total, 1);
  count_elements(x.size());
  on(device_of("sum_of_squares", x, total), [&] { cpu::sum_of_squares(x, total); });
}

void dot_rows(const Tensor& a, const Tensor& b, double scale, Tensor y) {
  check_matrix("dot_rows", "b", b, a.shape.rows(), a.shape.last());
  check_size("dot_rows", "y", y, a.shape.rows());
  count_elements(2 * a.size() + y.size());
  on(device_of("dot_rows", a, b, y), [&] { cpu::dot_rows(a, b, scale, y); });
}

void copy_into_columns(const Tensor& x, int64_t offset, Tensor y) {
  check_columns("copy_into_columns", x, offset, y);
  count_elements(2 * x.size());
  on(device_of("copy_into_columns", x, y), [&] { cpu::copy_into_columns(x, offset, y); });
}

void add_from_columns(const Tensor& dy, int64_t offset, Tensor dx) {
  check_columns("add_from_columns", dx, offset, dy);
  count_elements(3 * dx.size());
  on(device_of("add_from_columns", dy, dx), [&] { cpu::add_from_columns(dy, offset, dx); });
}

void add_scaled_rows(const Tensor& factors, const Tensor& x, Tensor y) {
  check_size("add_scaled_rows", "factors", factors, x.shape.last() == 0 ? 0 : x.shape.rows());
  check_size("add_scaled_rows", "y", y, x.size());
  count_elements(3 * x.size());
  on(device_of("add_scaled_rows", factors, x, y), [&] { cpu::add_scaled_rows(factors, x, y); });
}

void gather_rows(const Tensor& x, const Ids& rows, Tensor y, Real factor) {
  check_rows("gather_rows", x, rows, y);
  count_elements(2 * y.size());
  on(device_of("gather_rows", x, rows, y), [&] { cpu::gather_rows(x, rows, y, factor); });
}

void scatter_add_rows(const Tensor& dy, const Ids& rows, Tensor dx, Real factor) {
  check_rows("scatter_add_rows", dx, rows, dy);
  count_elements(3 * dy.size());
  on(device_of("scatter_add_rows", dy, rows, dx),
     [&] { cpu::scatter_add_rows(dy, rows, dx, factor); });
}

void pick(const Tensor& x, const Ids& columns, Tensor y) {
  check_size("pick", "columns", columns, x.shape.rows());
  check_size("pick", "y", y, x.shape.rows());
  check_ids_or_none("pick", columns, x.shape.last());
  count_elements(2 * y.size());
  on(device_of("pick", x, columns, y), [&] { cpu::pick(x, columns, y); });
}

void top_k(const Tensor& x, int64_t k, Tensor values, View<int32_t> indices) {
  check(k >= 0 && k <= x.shape.last(),
        "[top_k] k must lie between 0 and the last axis. Received {} of {}", k, x.shape);
  check_matrix("top_k", "values", values, x.shape.rows(), k);
  check_size("top_k", "indices", indices, values.size());
  if (k == 0) return;
  count_elements(x.size());
  on(device_of("top_k", x, values, indices), [&] { cpu::top_k(x, k, values, indices); });
}

}  // namespace heed::kernels
