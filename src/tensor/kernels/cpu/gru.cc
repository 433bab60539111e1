// The elementwise part of a GRU step; kernels/cells.h has the equations.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/gru.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <cstring>

#include "tensor/kernels/cpu/cells.h"
#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

// One row: x, hid, gates [3H], h, next [H].
void gru_row(const Real* x, const Real* hid, const Real* h, Real* gates, Real* next, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V r = sigmoid_of(hn::Add(part.load(x + i), part.load(hid + i)));
    const V z = sigmoid_of(hn::Add(part.load(x + n + i), part.load(hid + n + i)));
    const V candidate =
        tanh_of(hn::MulAdd(r, part.load(hid + 2 * n + i), part.load(x + 2 * n + i)));
    part.store(r, gates + i);
    part.store(z, gates + n + i);
    part.store(candidate, gates + 2 * n + i);
    part.store(hn::MulAdd(z, hn::Sub(part.load(h + i), candidate), candidate), next + i);
  });
}

// With d the gradient of h':
//   dz = d (h - n) z (1 - z),  dn = d (1 - z) (1 - n^2),  dr = dn hid_n r (1 - r)
//   dx = (dr, dz, dn),  dhid = (dr, dz, r dn),  dh += d z
void gru_backward_row(const Real* dnext, const Real* gates, const Real* hid, const Real* h,
                      Real* dx, Real* dhid, Real* dh, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V r = part.load(gates + i), z = part.load(gates + n + i);
    const V candidate = part.load(gates + 2 * n + i), d = part.load(dnext + i);
    const V dz = hn::Mul(hn::Mul(d, hn::Sub(part.load(h + i), candidate)), hn::NegMulAdd(z, z, z));
    const V dn = hn::Mul(hn::NegMulAdd(d, z, d), hn::NegMulAdd(candidate, candidate, set(1)));
    const V dr = hn::Mul(hn::Mul(dn, part.load(hid + 2 * n + i)), hn::NegMulAdd(r, r, r));
    part.store(dr, dx + i);
    part.store(dz, dx + n + i);
    part.store(dn, dx + 2 * n + i);
    part.store(dr, dhid + i);
    part.store(dz, dhid + n + i);
    part.store(hn::Mul(dn, r), dhid + 2 * n + i);
    part.store(hn::MulAdd(d, z, part.load(dh + i)), dh + i);
  });
}

void gru_skip_row(const Real* dnext, Real* dh, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    part.store(hn::Add(part.load(dnext + i), part.load(dh + i)), dh + i);
  });
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(gru_row);
HWY_EXPORT(gru_backward_row);
HWY_EXPORT(gru_skip_row);

void gru_forward(const Tensor& x, const Tensor& hid, const Tensor& h, const Flags& valid,
                 const Tensor& gates, const Tensor& next) {
  const int64_t n = h.shape.last(), rows = rows_of(h);
  parallel_for(rows, row_grain(n, kGrain / 2), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      Real* gates_b = gates.data + b * 3 * n;
      Real* next_b = next.data + b * n;
      if (valid.empty() || valid.data[b]) {
        HWY_DYNAMIC_DISPATCH(gru_row)
        (x.data + b * 3 * n, hid.data + b * 3 * n, h.data + b * n, gates_b, next_b, n);
      } else {
        std::memset(gates_b, 0, static_cast<size_t>(3 * n) * sizeof(Real));
        std::memmove(next_b, h.data + b * n, static_cast<size_t>(n) * sizeof(Real));
      }
    }
  });
}

void gru_backward(const Tensor& dnext, const GruStep& step, const Tensor& dx, const Tensor& dhid,
                  const Tensor& dh) {
  const Tensor &gates = step.gates, &hid = step.hid, &h = step.h;
  const Flags& valid = step.valid;
  const int64_t n = h.shape.last(), rows = rows_of(h);
  const size_t wide = static_cast<size_t>(3 * n) * sizeof(Real);
  parallel_for(rows, row_grain(n, kGrain / 2), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const Real* dnext_b = dnext.data + b * n;
      if (valid.empty() || valid.data[b]) {
        HWY_DYNAMIC_DISPATCH(gru_backward_row)
        (dnext_b, gates.data + b * 3 * n, hid.data + b * 3 * n, h.data + b * n, dx.data + b * 3 * n,
         dhid.data + b * 3 * n, dh.data + b * n, n);
      } else {
        std::memset(dx.data + b * 3 * n, 0, wide);
        std::memset(dhid.data + b * 3 * n, 0, wide);
        HWY_DYNAMIC_DISPATCH(gru_skip_row)(dnext_b, dh.data + b * n, n);
      }
    }
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
