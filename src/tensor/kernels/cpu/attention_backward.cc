// Attention, backward, one sentence at a time. With c = sum_s w_s values_s, w = softmax(e), and g_s
// the gradient of w_s:
//   g_s = dweights_s + dcontext . values_s,   dvalues_s += w_s dcontext,   de_s = w_s (g_s - sum_r
//   w_r g_r); dot:       dq += scale sum_s de_s k_s,  dk_s += scale de_s q; additive:  h_s = tanh(q
//   + k_s), computed again;  p_s = de_s v (1 - h_s^2);
//              dq += sum_s p_s,  dk_s += p_s,  dv += sum_s de_s h_s.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/attention_backward.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <vector>

#include "tensor/kernels/cpu/attention_gradients.h"
#include "tensor/kernels/cpu/attention_view.h"
#include "tensor/kernels/cpu/checks.h"
#include "tensor/kernels/cpu/math-inl.h"
#include "tensor/kernels/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::HWY_NAMESPACE {

// dvalues += w dcontext; gives dcontext . values.
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

// de [length]: the gradient of the scores.
HWY_INLINE void score_gradient(const AttentionView& view, const AttentionGradients& d, int64_t t,
                               int64_t b, Real* de) {
  const int64_t row = t * view.batch + b, length = view.lengths[b];
  const Real* w = d.weights + row * view.source;
  Real mean = 0;
  for (int64_t s = 0; s < length; ++s) {
    const int64_t at = (s * view.batch + b) * view.width;
    de[s] = value_gradient(w[s], d.dcontext + row * view.width, view.values + at, d.dvalues + at,
                           view.width);
    if (d.dweights != nullptr) de[s] += d.dweights[row * view.source + s];
    mean += w[s] * de[s];
  }
  for (int64_t s = 0; s < length; ++s) de[s] = w[s] * (de[s] - mean);
}

HWY_INLINE void dot_gradient(const AttentionView& view, const AttentionGradients& d, int64_t t,
                             int64_t b, const Real* de) {
  const int64_t length = view.lengths[b], stride = view.batch * view.depth;
  const Real *q = view.query(t, b), *keys = view.key(0, b);
  Real *dq = d.dqueries + (q - view.queries), *dkeys = d.dkeys + (keys - view.keys);
  each_vector(view.depth, [&](int64_t i, auto part) HWY_ATTR {
    const V query = part.load(q + i);
    V total = part.load(dq + i);
    for (int64_t s = 0; s < length; ++s) {
      const V slope = set(view.scale * de[s]);
      Real* to = dkeys + s * stride + i;
      total = hn::MulAdd(slope, part.load(keys + s * stride + i), total);
      part.store(hn::MulAdd(slope, query, part.load(to)), to);
    }
    part.store(total, dq + i);
  });
}

HWY_INLINE void additive_gradient(const AttentionView& view, const AttentionGradients& d, int64_t t,
                                  int64_t b, const Real* de) {
  const int64_t length = view.lengths[b], stride = view.batch * view.depth;
  const Real *q = view.query(t, b), *keys = view.key(0, b);
  Real *dq = d.dqueries + (q - view.queries), *dkeys = d.dkeys + (keys - view.keys);
  Real* dv = d.dv_rows + b * view.depth;
  each_vector(view.depth, [&](int64_t i, auto part) HWY_ATTR {
    const V query = part.load(q + i), v = part.load(view.v + i);
    V query_sum = part.load(dq + i), v_sum = part.load(dv + i);
    for (int64_t s = 0; s < length; ++s) {
      const V slope = set(de[s]);
      const V h = tanh_of(hn::Add(query, part.load(keys + s * stride + i)));
      const V p = hn::Mul(hn::Mul(slope, v), hn::NegMulAdd(h, h, set(1)));
      Real* to = dkeys + s * stride + i;
      query_sum = hn::Add(query_sum, p);
      v_sum = hn::MulAdd(slope, h, v_sum);
      part.store(hn::Add(p, part.load(to)), to);
    }
    part.store(query_sum, dq + i);
    part.store(v_sum, dv + i);
  });
}

void attend_backward_sentence(const AttentionView& view, const AttentionGradients& d, int64_t b,
                              Real* de) {
  for (int64_t t = 0; t < view.steps; ++t) {
    score_gradient(view, d, t, b, de);
    if (view.kind == ScoreKind::dot)
      dot_gradient(view, d, t, b, de);
    else
      additive_gradient(view, d, t, b, de);
  }
}

}  // namespace heed::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels {

HWY_EXPORT(attend_backward_sentence);

void attention_backward(const Score& score, const Tensor& queries, const Tensor& keys,
                        const Tensor& values, const int32_t* lengths, const Tensor& weights,
                        const Tensor& dcontext, const Tensor& dweights, Tensor dqueries,
                        Tensor dkeys, Tensor dvalues, Tensor dv_rows) {
  const char* kernel = "attention_backward";
  const AttentionView view = attention_view(kernel, score, queries, keys, values, lengths);
  require_shape(kernel, "weights", weights, {view.steps, view.batch, view.source});
  require_shape(kernel, "dcontext", dcontext, {view.steps, view.batch, view.width});
  if (!dweights.empty()) require_shape(kernel, "dweights", dweights, weights.shape);
  require_shape(kernel, "dqueries", dqueries, queries.shape);
  require_shape(kernel, "dkeys", dkeys, keys.shape);
  require_shape(kernel, "dvalues", dvalues, values.shape);
  if (score.kind == ScoreKind::additive)
    require_matrix(kernel, "dv_rows", dv_rows, view.batch, view.depth);
  const AttentionGradients d{weights.data, dcontext.data, dweights.data, dqueries.data,
                             dkeys.data,   dvalues.data,  dv_rows.data};
  for_chunks(view.batch, kAttentionGrain, [&](int64_t begin, int64_t end) {
    static thread_local std::vector<Real> scratch;  // grows once, then no step allocates
    if (scratch.size() < static_cast<size_t>(view.source))
      scratch.resize(static_cast<size_t>(view.source));
    for (int64_t b = begin; b < end; ++b)
      HWY_DYNAMIC_DISPATCH(attend_backward_sentence)(view, d, b, scratch.data());
  });
}

}  // namespace heed::kernels
#endif  // HWY_ONCE
