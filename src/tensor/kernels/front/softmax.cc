// Kernels of softmax and losses.
#include "tensor/kernels/cpu/softmax.h"

#include "tensor/kernels/checks.h"
#include "tensor/kernels/front/dispatch.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

void check_losses(const char* kernel, const Tensor& logits, const Ids& targets,
                  const RowLosses& losses) {
  const int64_t rows = logits.shape.rows();
  check_size(kernel, "targets", targets, rows);
  check_size(kernel, "smoothed", losses.smoothed, rows);
  check_size(kernel, "nll", losses.nll, rows);
  check_ids_or_none(kernel, targets, logits.shape.last());
}

}  // namespace

void log_softmax(const Tensor& x, Tensor y) {
  check_matrix("log_softmax", "y", y, x.shape.rows(), x.shape.last());
  count_elements(2 * x.size(), x.size());
  on(device_of("log_softmax", x, y), [&] { cpu::log_softmax(x, y); });
}

void log_softmax_of_columns(const Tensor& x, const Ids& row_begin, const Ids& columns, Tensor y) {
  const char* kernel = "log_softmax_of_columns";
  check(columns.shape.rank() == 2, "[{}] columns must be [B, L]. Received {}", kernel,
        columns.shape);
  check_size(kernel, "row_begin", row_begin, columns.shape[0] + 1);
  check_matrix(kernel, "y", y, x.shape.rows(), columns.shape[1]);
  check_ids(kernel, columns, -1, x.shape.last());
  count_elements(2 * y.size(), y.size());
  on(device_of(kernel, x, row_begin, columns, y),
     [&] { cpu::log_softmax_of_columns(x, row_begin, columns, y); });
}

void cross_entropy_in_place(Tensor logits, const Ids& targets, Real smoothing, Real scale,
                            const RowLosses& losses) {
  const char* kernel = "cross_entropy_in_place";
  check_losses(kernel, logits, targets, losses);
  count_elements(2 * logits.size(), logits.size());
  on(device_of(kernel, logits, targets, losses.smoothed, losses.nll),
     [&] { cpu::cross_entropy_in_place(logits, targets, smoothing, scale, losses); });
}

void cross_entropy(const Tensor& logits, const Ids& targets, Real smoothing,
                   const RowLosses& losses) {
  check_losses("cross_entropy", logits, targets, losses);
  count_elements(logits.size(), logits.size());
  on(device_of("cross_entropy", logits, targets, losses.smoothed, losses.nll),
     [&] { cpu::cross_entropy(logits, targets, smoothing, losses); });
}

void sum_losses(const RowLosses& losses, Tensor mean, Sums totals) {
  check_size("sum_losses", "nll", losses.nll, losses.smoothed.size());
  check_size("sum_losses", "mean", mean, 1);
  check_size("sum_losses", "totals", totals, 2);
  count_work({0, 2 * sizeof(double) * static_cast<double>(losses.nll.size()), 0});
  on(device_of("sum_losses", losses.smoothed, losses.nll, mean, totals),
     [&] { cpu::sum_losses(losses, mean, totals); });
}

}  // namespace heed::kernels
