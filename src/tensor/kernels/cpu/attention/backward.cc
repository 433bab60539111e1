// Attention, backward, one sentence at a time. With c = sum_s w_s values_s, w = softmax(e), and g_s
// the gradient of w_s:
//   g_s = dweights_s + dcontext . values_s
//   dvalues_s += w_s dcontext
//   de_s = w_s (g_s - sum_r w_r g_r)
//   dot:       dq += scale sum_s de_s k_s,  dk_s += scale de_s q
//   additive:  h_s = tanh(q + k_s), computed again
//              p_s = de_s v (1 - h_s^2)
//              dq += sum_s p_s,  dk_s += p_s,  dv += sum_s de_s h_s
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/attention/backward.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include "base/parallel.h"
#include "tensor/kernels/cpu/attention/attention.h"
#include "tensor/kernels/cpu/attention/view.h"
#include "tensor/kernels/cpu/scratch.h"
#include "tensor/kernels/cpu/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

// dvalues += w dcontext; returns dcontext . values.
HWY_INLINE Real value_gradient(Real w, const Real* dcontext, const Real* values, Real* dvalues,
                               int64_t n) {
  V total = set(0);
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V dc = part.load(dcontext + i);
    total = hn::MulAdd(dc, part.load(values + i), total);
    part.store(hn::MulAdd(set(w), dc, part.load(dvalues + i)), dvalues + i);
  });
  return sum_lanes(total);
}

// Through the context, at position s for every query: de[t, s] = g_s, and dvalues.
HWY_INLINE void context_gradient(const AttentionView& view, const GradientView& d, int64_t b,
                                 int64_t s, Real* de) {
  const int64_t at = (s * view.batch + b) * view.width;
  for (int64_t t = 0; t < view.steps; ++t) {
    const int64_t row = t * view.batch + b;
    Real g = value_gradient(d.weights[row * view.source + s], d.dcontext + row * view.width,
                            view.values + at, d.dvalues + at, view.width);
    if (d.dweights != nullptr) g += d.dweights[row * view.source + s];
    de[t * view.source + s] = g;
  }
}

// Through the softmax: de_s = w_s (g_s - sum_r w_r g_r), in place; times the scale of dot scores.
HWY_INLINE void softmax_gradient(const AttentionView& view, const Real* w, int64_t length,
                                 Real* de) {
  Real mean = 0;
  for (int64_t s = 0; s < length; ++s) mean += w[s] * de[s];
  const Real scale = view.kind == ScoreKind::dot ? view.scale : Real(1);
  for (int64_t s = 0; s < length; ++s) de[s] = scale * w[s] * (de[s] - mean);
}

// The gradients of query and keys, row by row for kKeys keys together: each row is read in the
// order of memory, and what all keys share (q, dq, v, dv) is loaded once for kKeys of them.
template <int kKeys>
HWY_INLINE void dot_gradient(const Real* scores, const Real* q, const Real* keys, Real* dq,
                             Real* dkeys, int64_t stride, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V query = part.load(q + i);
    V total = part.load(dq + i);
    for (int s = 0; s < kKeys; ++s) {
      const V slope = set(scores[s]);
      Real* to = dkeys + s * stride + i;
      total = hn::MulAdd(slope, part.load(keys + s * stride + i), total);
      part.store(hn::MulAdd(slope, query, part.load(to)), to);
    }
    part.store(total, dq + i);
  });
}

template <int kKeys>
HWY_INLINE void additive_gradient(const Real* de, const Real* q, const Real* v, const Real* keys,
                                  Real* dq, Real* dv, Real* dkeys, int64_t stride, int64_t n) {
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V query = part.load(q + i), weight = part.load(v + i);
    V query_sum = part.load(dq + i), v_sum = part.load(dv + i);
    for (int s = 0; s < kKeys; ++s) {
      const V slope = set(de[s]);
      const V h = tanh_of(hn::Add(query, part.load(keys + s * stride + i)));
      const V p = hn::Mul(hn::Mul(slope, weight), hn::NegMulAdd(h, h, set(1)));
      Real* to = dkeys + s * stride + i;
      query_sum = hn::Add(query_sum, p);
      v_sum = hn::MulAdd(slope, h, v_sum);
      part.store(hn::Add(p, part.load(to)), to);
    }
    part.store(query_sum, dq + i);
    part.store(v_sum, dv + i);
  });
}

template <int kKeys>
HWY_INLINE void key_gradients(const AttentionView& view, const GradientView& d, int64_t b,
                              int64_t s, const Real* de) {
  const int64_t stride = view.batch * view.depth;
  const Real* keys = view.key(s, b);
  Real* dkeys = d.dkeys + (keys - view.keys);
  for (int64_t t = 0; t < view.steps; ++t) {
    const Real *q = view.query(t, b), *slopes = de + t * view.source + s;
    Real* dq = d.dqueries + (q - view.queries);
    if (view.kind == ScoreKind::dot)
      dot_gradient<kKeys>(slopes, q, keys, dq, dkeys, stride, view.depth);
    else
      additive_gradient<kKeys>(slopes, q, view.v, keys, dq, d.dv_rows + b * view.depth, dkeys,
                               stride, view.depth);
  }
}

// de [Tq, S] is scratch: the gradient of the weights, then of the scores.
void attend_backward_sentence(const AttentionView& view, const GradientView& d, int64_t b,
                              Real* de) {
  const int64_t length = view.lengths[b], grouped = length - length % 2;
  for (int64_t s = 0; s < length; ++s) context_gradient(view, d, b, s, de);
  for (int64_t t = 0; t < view.steps; ++t)
    softmax_gradient(view, d.weights + (t * view.batch + b) * view.source, length,
                     de + t * view.source);
  for (int64_t s = 0; s < grouped; s += 2) key_gradients<2>(view, d, b, s, de);
  for (int64_t s = grouped; s < length; ++s) key_gradients<1>(view, d, b, s, de);
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(attend_backward_sentence);

void attention_backward(const AttentionForm& form, const AttentionOperands& operands,
                        const AttentionMask& mask, const Tensor& weights,
                        const AttentionResult& dresult, const AttentionGradients& into) {
  const AttentionView view = view_of(form, operands, mask);
  const GradientView d{weights.data,      dresult.context.data, dresult.weights.data,
                       into.queries.data, into.keys.data,       into.values.data,
                       into.v_rows.data};
  parallel_for(view.batch, kAttentionGrain, [&](int64_t begin, int64_t end) {
    Scratch<Real, GradientView> de(view.steps * view.source);
    for (int64_t b = begin; b < end; ++b)
      HWY_DYNAMIC_DISPATCH(attend_backward_sentence)(view, d, b, de.data());
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
