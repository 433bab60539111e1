// log-softmax and the smoothed cross-entropy:
//   q = (1 - s) onehot(t) + s / V,  L = log sum_v exp x_v
//   nll = L - x_t
//   loss = L - (1 - s) x_t - s mean(x) = (1 - s) nll + s (L - mean(x))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/softmax.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <cmath>
#include <limits>

#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/row_loss.h"
#include "tensor/kernels/cpu/simd/softmax-inl.h"
#include "tensor/kernels/cpu/softmax.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

void log_softmax_row(const Real* x, Real* y, int64_t n) {
  const Real max = row_max(x, n);
  const Real log_sum = static_cast<Real>(std::log(sum_exp_row(x, max, n)));
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    part.store(hn::Sub(hn::Sub(part.load(x + i), set(max)), set(log_sum)), y + i);
  });
}

HWY_INLINE RowLoss losses(double log_sum, double target_logit, double sum, double smoothing,
                          int64_t n) {
  const double nll = log_sum - target_logit;
  if (smoothing == 0) return {nll, nll};
  const double uniform = log_sum - sum / static_cast<double>(n);
  return {(1 - smoothing) * nll + smoothing * uniform, nll};
}

// The sum is only computed for smoothing, which alone needs it.
HWY_INLINE MaxAndSum survey(const Real* x, Real smoothing, int64_t n) {
  if (smoothing != 0) return row_max_and_sum(x, n);
  return {row_max(x, n), 0};
}

RowLoss cross_entropy_row(const Real* x, int64_t n, int32_t target, Real smoothing) {
  const MaxAndSum row = survey(x, smoothing, n);
  const double log_sum = static_cast<double>(row.max) + std::log(sum_exp_row(x, row.max, n));
  return losses(log_sum, static_cast<double>(x[target]), row.sum, static_cast<double>(smoothing),
                n);
}

RowLoss cross_entropy_gradient_row(Real* x, int64_t n, int32_t target, Real smoothing, Real scale) {
  const MaxAndSum row = survey(x, smoothing, n);
  const double target_logit = static_cast<double>(x[target]);
  const double exp_sum = exp_row(x, row.max, x, n);
  const V factor = set(static_cast<Real>(static_cast<double>(scale) / exp_sum));
  const V uniform = set(scale * smoothing / static_cast<Real>(n));
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    part.store(hn::MulSub(part.load(x + i), factor, uniform), x + i);
  });
  x[target] -= scale * (1 - smoothing);
  return losses(static_cast<double>(row.max) + std::log(exp_sum), target_logit, row.sum,
                static_cast<double>(smoothing), n);
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace heed::kernels::cpu {

HWY_EXPORT(log_softmax_row);
HWY_EXPORT(cross_entropy_row);
HWY_EXPORT(cross_entropy_gradient_row);

namespace {

constexpr int64_t kRowElements = 32768;  // logits that one chunk of rows covers

}  // namespace

void log_softmax(const Tensor& x, const Tensor& y) {
  const int64_t n = x.shape.last();
  parallel_for(rows_of(x), row_grain(n, kRowElements), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      HWY_DYNAMIC_DISPATCH(log_softmax_row)(x.data + row * n, y.data + row * n, n);
  });
}

void log_softmax_of_columns(const Tensor& x, const Ids& row_begin, const Ids& columns,
                            const Tensor& y) {
  const int64_t n = x.shape.last(), sentences = columns.shape[0], most = columns.shape[1];
  const int64_t per_sentence = sentences == 0 ? 0 : x.size() / sentences;
  parallel_for(sentences, row_grain(per_sentence, kRowElements), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const int32_t* const list = columns.data + b * most;
      const int64_t count = std::find(list, list + most, -1) - list;
      for (int64_t row = row_begin.data[b]; row < row_begin.data[b + 1]; ++row) {
        const Real* const from = x.data + row * n;
        Real* const to = y.data + row * most;
        for (int64_t i = 0; i < count; ++i) to[i] = from[list[i]];
        HWY_DYNAMIC_DISPATCH(log_softmax_row)(to, to, count);
        std::fill(to + count, to + most, -std::numeric_limits<Real>::infinity());
      }
    }
  });
}

void cross_entropy_in_place(const Tensor& logits, const Ids& targets, Real smoothing, Real scale,
                            const RowLosses& losses) {
  const int64_t n = logits.shape.last();
  parallel_for(rows_of(logits), row_grain(n, kRowElements), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      Real* x = logits.data + row * n;
      RowLoss result{0, 0};
      if (targets.data[row] < 0)
        std::fill(x, x + n, Real(0));
      else
        result = HWY_DYNAMIC_DISPATCH(cross_entropy_gradient_row)(x, n, targets.data[row],
                                                                  smoothing, scale);
      losses.smoothed.data[row] = result.loss;
      losses.nll.data[row] = result.nll;
    }
  });
}

void cross_entropy(const Tensor& logits, const Ids& targets, Real smoothing,
                   const RowLosses& losses) {
  const int64_t n = logits.shape.last();
  parallel_for(rows_of(logits), row_grain(n, kRowElements), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      RowLoss result{0, 0};
      if (targets.data[row] >= 0)
        result = HWY_DYNAMIC_DISPATCH(cross_entropy_row)(logits.data + row * n, n,
                                                         targets.data[row], smoothing);
      losses.smoothed.data[row] = result.loss;
      losses.nll.data[row] = result.nll;
    }
  });
}

void sum_losses(const RowLosses& losses, const Tensor& mean, const Sums& totals) {
  const int64_t rows = losses.smoothed.size();
  double smoothed = 0, nll = 0;
  for (int64_t i = 0; i < rows; ++i) smoothed += losses.smoothed.data[i];
  for (int64_t i = 0; i < rows; ++i) nll += losses.nll.data[i];
  *mean.data = static_cast<Real>(smoothed / static_cast<double>(rows));
  totals.data[0] = static_cast<double>(*mean.data);
  totals.data[1] = nll;
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
