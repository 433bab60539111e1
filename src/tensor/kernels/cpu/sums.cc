// Sums over whole tensors and over rows. Chunks are cut by size and added in their order.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/sums.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <algorithm>
#include <vector>

#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/rows.h"
#include "tensor/kernels/cpu/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

using Doubles = hn::ScalableTag<double>;

HWY_INLINE hn::Vec<Doubles> load_doubles(const Real* x) {
#ifdef HEED_DOUBLE
  return hn::LoadU(Doubles(), x);
#else
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), x));
#endif
}

double sum_of_squares_range(const Real* x, int64_t n) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(Doubles()));
  auto even = hn::Zero(Doubles()), odd = even;
  int64_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto a = load_doubles(x + i), b = load_doubles(x + i + lanes);
    even = hn::MulAdd(a, a, even);
    odd = hn::MulAdd(b, b, odd);
  }
  double total = hn::GetLane(hn::SumOfLanes(Doubles(), hn::Add(even, odd)));
  for (; i < n; ++i) total += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return total;
}

// out[0 : n] += the sums of n columns over rows that are `stride` apart. Four vectors at a time, so
// that a row is read in full cache lines.
void sum_columns_range(const Real* x, int64_t rows, int64_t stride, Real* out, int64_t n) {
  const int64_t lanes = lane_count();
  const FullVector full;
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    Real* to = out + i;
    V a = full.load(to), b = full.load(to + lanes);
    V c = full.load(to + 2 * lanes), e = full.load(to + 3 * lanes);
    for (int64_t row = 0; row < rows; ++row) {
      const Real* from = x + row * stride + i;
      a = hn::Add(a, full.load(from));
      b = hn::Add(b, full.load(from + lanes));
      c = hn::Add(c, full.load(from + 2 * lanes));
      e = hn::Add(e, full.load(from + 3 * lanes));
    }
    full.store(a, to);
    full.store(b, to + lanes);
    full.store(c, to + 2 * lanes);
    full.store(e, to + 3 * lanes);
  }
  each_vector(n - i, [&](int64_t j, auto part) HWY_ATTR {
    V total = part.load(out + i + j);
    for (int64_t row = 0; row < rows; ++row)
      total = hn::Add(total, part.load(x + row * stride + i + j));
    part.store(total, out + i + j);
  });
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(sum_of_squares_range);
HWY_EXPORT(sum_columns_range);

namespace {

template <typename F>
double sum_chunks(int64_t n, const F& chunk_sum) {
  std::vector<double> parts(static_cast<size_t>((n + kGrain - 1) / kGrain));
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    parts[static_cast<size_t>(begin / kGrain)] = chunk_sum(begin, end - begin);
  });
  double total = 0;
  for (double part : parts) total += part;
  return total;
}

}  // namespace

void sum_of_squares(const Tensor& x, const Sums& total) {
  *total.data = sum_chunks(x.size(), [&](int64_t begin, int64_t n) {
    return HWY_DYNAMIC_DISPATCH(sum_of_squares_range)(x.data + begin, n);
  });
}

void dot_rows(const Tensor& a, const Tensor& b, double scale, const Tensor& y) {
  const int64_t rows = a.shape.rows(), n = a.shape.last();
  parallel_for(rows, row_grain(n), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const Real *left = a.data + row * n, *right = b.data + row * n;
      double total = 0;
      for (int64_t i = 0; i < n; ++i)
        total += static_cast<double>(left[i]) * static_cast<double>(right[i]);
      y.data[row] = static_cast<Real>(scale * total);
    }
  });
}

void sum_rows(const Tensor& dy, const Tensor& dbias) {
  constexpr int64_t kColumns = 128;
  const int64_t columns = dy.shape.last(), rows = rows_of(dy);
  parallel_for(columns, kColumns, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(sum_columns_range)
    (dy.data + begin, rows, columns, dbias.data + begin, end - begin);
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
