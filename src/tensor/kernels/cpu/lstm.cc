// The elementwise part of an LSTM step; kernels/cells.h has the equations.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/lstm.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <cstring>

#include "tensor/kernels/cpu/cells.h"
#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

// One row: x, gates [4H], c, next_h, next_c [H].
void lstm_row(const Real* x, const Real* c, Real* gates, Real* next_h, Real* next_c, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V in = sigmoid_of(part.load(x + i)), forget = sigmoid_of(part.load(x + n + i));
    const V candidate = tanh_of(part.load(x + 2 * n + i));
    const V out = sigmoid_of(part.load(x + 3 * n + i));
    const V cell = hn::MulAdd(forget, part.load(c + i), hn::Mul(in, candidate));
    part.store(in, gates + i);
    part.store(forget, gates + n + i);
    part.store(candidate, gates + 2 * n + i);
    part.store(out, gates + 3 * n + i);
    part.store(cell, next_c + i);
    part.store(hn::Mul(out, tanh_of(cell)), next_h + i);
  });
}

// With e the gradient of c':
//   e = dnext_c + dnext_h o (1 - tanh(c')^2)
//   di = e g i (1 - i),  df = e c f (1 - f),  dg = e i (1 - g^2)
//   do = dnext_h tanh(c') o (1 - o),  dc += e f
void lstm_backward_row(const Real* dnext_h, const Real* dnext_c, const Real* gates, const Real* c,
                       const Real* next_c, Real* dx, Real* dc, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V in = part.load(gates + i), forget = part.load(gates + n + i);
    const V candidate = part.load(gates + 2 * n + i), out = part.load(gates + 3 * n + i);
    const V squashed = tanh_of(part.load(next_c + i)), dh = part.load(dnext_h + i);
    const V slope = hn::NegMulAdd(squashed, squashed, set(1));
    const V e = hn::MulAdd(hn::Mul(dh, out), slope, part.load(dnext_c + i));
    part.store(hn::Mul(hn::Mul(e, candidate), hn::NegMulAdd(in, in, in)), dx + i);
    part.store(hn::Mul(hn::Mul(e, part.load(c + i)), hn::NegMulAdd(forget, forget, forget)),
               dx + n + i);
    part.store(hn::Mul(hn::Mul(e, in), hn::NegMulAdd(candidate, candidate, set(1))),
               dx + 2 * n + i);
    part.store(hn::Mul(hn::Mul(dh, squashed), hn::NegMulAdd(out, out, out)), dx + 3 * n + i);
    part.store(hn::MulAdd(e, forget, part.load(dc + i)), dc + i);
  });
}

void lstm_skip_row(const Real* dnext_h, const Real* dnext_c, Real* dh, Real* dc, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    part.store(hn::Add(part.load(dnext_h + i), part.load(dh + i)), dh + i);
    part.store(hn::Add(part.load(dnext_c + i), part.load(dc + i)), dc + i);
  });
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(lstm_row);
HWY_EXPORT(lstm_backward_row);
HWY_EXPORT(lstm_skip_row);

void lstm_forward(const Tensor& x, const LstmState& state, const Flags& valid, const Tensor& gates,
                  const LstmState& next) {
  const Tensor &h = state.h, &c = state.c;
  const int64_t n = h.shape.last(), rows = rows_of(h);
  const size_t bytes = static_cast<size_t>(n) * sizeof(Real);
  parallel_for(rows, row_grain(n, kGrain / 2), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      Real* gates_b = gates.data + b * 4 * n;
      Real* h_b = next.h.data + b * n;
      Real* c_b = next.c.data + b * n;
      if (valid.empty() || valid.data[b]) {
        HWY_DYNAMIC_DISPATCH(lstm_row)
        (x.data + b * 4 * n, c.data + b * n, gates_b, h_b, c_b, n);
      } else {
        std::memset(gates_b, 0, 4 * bytes);
        std::memmove(h_b, h.data + b * n, bytes);
        std::memmove(c_b, c.data + b * n, bytes);
      }
    }
  });
}

void lstm_backward(const LstmState& dnext, const LstmStep& step, const Tensor& dx,
                   const LstmState& dstate) {
  const Tensor &gates = step.gates, &c = step.c;
  const Flags& valid = step.valid;
  const int64_t n = c.shape.last(), rows = rows_of(c);
  parallel_for(rows, row_grain(n, kGrain / 2), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const Real* dnext_h_b = dnext.h.data + b * n;
      const Real* dnext_c_b = dnext.c.data + b * n;
      Real* dx_b = dx.data + b * 4 * n;
      if (valid.empty() || valid.data[b]) {
        HWY_DYNAMIC_DISPATCH(lstm_backward_row)
        (dnext_h_b, dnext_c_b, gates.data + b * 4 * n, c.data + b * n, step.next_c.data + b * n,
         dx_b, dstate.c.data + b * n, n);
      } else {
        std::memset(dx_b, 0, static_cast<size_t>(4 * n) * sizeof(Real));
        HWY_DYNAMIC_DISPATCH(lstm_skip_row)
        (dnext_h_b, dnext_c_b, dstate.h.data + b * n, dstate.c.data + b * n, n);
      }
    }
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
