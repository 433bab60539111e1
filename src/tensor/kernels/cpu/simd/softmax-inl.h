// Maximum, sum and exponential of one row, for softmax, cross-entropy and attention.
#if defined(HEED_KERNELS_SOFTMAX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_SOFTMAX_INL
#undef HEED_KERNELS_SOFTMAX_INL
#else
#define HEED_KERNELS_SOFTMAX_INL
#endif

#include <limits>

#include "tensor/kernels/cpu/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

constexpr Real kLowest = -std::numeric_limits<Real>::infinity();
// Elements that are added up in Real before their sum is added to one in double.
constexpr int64_t kSumBlock = 1024;

HWY_INLINE Real row_max(const Real* x, int64_t n) {
  const int64_t lanes = lane_count();
  V even = set(kLowest), odd = even;
  int64_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    even = hn::Max(even, hn::LoadU(D(), x + i));
    odd = hn::Max(odd, hn::LoadU(D(), x + i + lanes));
  }
  each_vector(n - i, [&](int64_t j, auto part)
                         HWY_ATTR { even = hn::Max(even, part.load_or(x + i + j, kLowest)); });
  return max_lanes(hn::Max(even, odd));
}

// The sum over [0, n), in blocks, of what f(i, part) returns for elements i, i + 1, ...
template <class F>
HWY_INLINE double row_sum(int64_t n, const F& f) {
  double total = 0;
  for (int64_t begin = 0; begin < n; begin += kSumBlock) {
    V block = set(0);
    const int64_t count = n - begin < kSumBlock ? n - begin : kSumBlock;
    each_vector(count,
                [&](int64_t i, auto part) HWY_ATTR { block = hn::Add(block, f(begin + i, part)); });
    total += static_cast<double>(sum_lanes(block));
  }
  return total;
}

struct MaxAndSum {
  Real max;
  double sum;
};

HWY_INLINE MaxAndSum row_max_and_sum(const Real* x, int64_t n) {
  V max = set(kLowest);
  const double sum = row_sum(n, [&](int64_t i, auto part) HWY_ATTR {
    max = hn::Max(max, part.load_or(x + i, kLowest));
    return part.load(x + i);
  });
  return {max_lanes(max), sum};
}

// y = exp(x - max), and the sum of y. x and y may be the same.
HWY_INLINE double exp_row(const Real* x, Real max, Real* y, int64_t n) {
  return row_sum(n, [&](int64_t i, auto part) HWY_ATTR {
    const V e = exp_nonpositive(hn::Sub(part.load_or(x + i, kLowest), set(max)));
    part.store(e, y + i);
    return e;
  });
}

HWY_INLINE double sum_exp_row(const Real* x, Real max, int64_t n) {
  return row_sum(n, [&](int64_t i, auto part) HWY_ATTR {
    return exp_nonpositive(hn::Sub(part.load_or(x + i, kLowest), set(max)));
  });
}

HWY_INLINE void scale_row(Real factor, Real* x, int64_t n) {
  each_vector(n, [&](int64_t i, auto part)
                     HWY_ATTR { part.store(hn::Mul(part.load(x + i), set(factor)), x + i); });
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HEED_KERNELS_SOFTMAX_INL
