// The k largest of each row. One comparison skips a full vector that holds nothing above the k-th
// best so far, as nearly all do; only the others are inserted element by element.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/top_k.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/rows.h"
#include "tensor/kernels/cpu/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

// NaN counts as smaller than every number. Of equal elements the earlier one ranks first.
HWY_INLINE bool ranks_above(Real a, Real b) { return a > b || (b != b && a == a); }

// Inserts x into the first `filled` of `values`, which are sorted and hold at most k.
HWY_INLINE void insert(Real x, int32_t index, int64_t k, int64_t filled, Real* values,
                       int32_t* indices) {
  int64_t at = filled < k ? filled : k - 1;
  for (; at > 0 && ranks_above(x, values[at - 1]); --at) {
    values[at] = values[at - 1];
    indices[at] = indices[at - 1];
  }
  values[at] = x;
  indices[at] = index;
}

void top_k_row(const Real* x, int64_t n, int64_t k, Real* values, int32_t* indices) {
  const int64_t lanes = lane_count();
  int64_t i = 0;
  for (; i < k; ++i) insert(x[i], static_cast<int32_t>(i), k, i, values, indices);
  const auto scan = [&](int64_t end) HWY_ATTR {
    for (; i < end; ++i)
      if (ranks_above(x[i], values[k - 1]))
        insert(x[i], static_cast<int32_t>(i), k, k, values, indices);
  };
  while (i + lanes <= n) {
    const auto not_above = hn::Le(hn::LoadU(D(), x + i), set(values[k - 1]));
    if (hn::AllTrue(D(), not_above))
      i += lanes;
    else
      scan(i + lanes);
  }
  scan(n);
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(top_k_row);

void top_k(const Tensor& x, int64_t k, const Tensor& values, const View<int32_t>& indices) {
  const int64_t n = x.shape.last(), rows = rows_of(x);
  if (k == 0) return;
  parallel_for(rows, row_grain(n), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) HWY_DYNAMIC_DISPATCH(top_k_row)
    (x.data + row * n, n, k, values.data + row * k, indices.data + row * k);
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
