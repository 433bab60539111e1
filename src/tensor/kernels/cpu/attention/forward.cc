// Attention, forward: scores, mask, softmax and context of one sentence at a time. The tanh of
// additive attention is summed as it is computed and never written to memory.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/attention/forward.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include "base/parallel.h"
#include "tensor/kernels/cpu/attention/attention.h"
#include "tensor/kernels/cpu/attention/view.h"
#include "tensor/kernels/cpu/simd/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

// e[0 : kKeys] = q . k for keys that are `stride` apart.
template <int kKeys>
HWY_INLINE void dot_scores(Real scale, const Real* q, const Real* keys, int64_t stride, int64_t n,
                           Real* e) {
  for (int s = 0; s < kKeys; ++s) {
    V total = set(0);
    each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
      total = hn::MulAdd(part.load(q + i), part.load(keys + s * stride + i), total);
    });
    e[s] = scale * sum_lanes(total);
  }
}

// e[0 : kKeys] = v . tanh(q + k).
template <int kKeys>
HWY_INLINE void additive_scores(const Real* v, const Real* q, const Real* keys, int64_t stride,
                                int64_t n, Real* e) {
  for (int s = 0; s < kKeys; ++s) {
    V total = set(0);
    each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
      const V squashed = tanh_of(hn::Add(part.load(q + i), part.load(keys + s * stride + i)));
      total = hn::MulAdd(part.load(v + i), squashed, total);
    });
    e[s] = sum_lanes(total);
  }
}

// Scores of kKeys keys from s on for every query: the keys are fetched once and then stay
// in the cache.
template <int kKeys>
HWY_INLINE void score_keys(const AttentionView& view, int64_t b, int64_t s, Real* weights) {
  const int64_t stride = view.batch * view.depth;
  for (int64_t t = 0; t < view.queries_of(b); ++t) {
    Real* e = weights + view.row(t, b) * view.source + s;
    if (view.kind == ScoreKind::dot)
      dot_scores<kKeys>(view.scale, view.query(t, b), view.key(s, b), stride, view.depth, e);
    else
      additive_scores<kKeys>(view.v, view.query(t, b), view.key(s, b), stride, view.depth, e);
  }
}

// context += weights[s] values[s, b] over kKeys positions from s on, for every query.
template <int kKeys>
HWY_INLINE void mix_values(const AttentionView& view, int64_t b, int64_t s, const Real* weights,
                           Real* context) {
  const int64_t stride = view.batch * view.width;
  const Real* values = view.value(s, b);
  for (int64_t t = 0; t < view.queries_of(b); ++t) {
    const Real* w = weights + view.row(t, b) * view.source + s;
    Real* c = context + view.row(t, b) * view.width;
    each_vector(view.width, [&](int64_t i, auto part) HWY_ATTR {
      V total = part.load(c + i);
      for (int k = 0; k < kKeys; ++k)
        total = hn::MulAdd(set(w[k]), part.load(values + k * stride + i), total);
      part.store(total, c + i);
    });
  }
}

// Turns scores into weights and clears the context.
HWY_INLINE void normalise(const AttentionView& view, int64_t t, int64_t b, Real* weights,
                          Real* context) {
  const int64_t length = view.lengths[b];
  Real* w = weights + view.row(t, b) * view.source;
  if (length > 0) {
    const double sum = exp_row(w, row_max(w, length), w, length);
    scale_row(static_cast<Real>(1 / sum), w, length);
  }
  for (int64_t s = length; s < view.source; ++s) w[s] = 0;
  Real* c = context + view.row(t, b) * view.width;
  for (int64_t i = 0; i < view.width; ++i) c[i] = 0;
}

void attend_sentence(const AttentionView& view, int64_t b, Real* weights, Real* context) {
  if (view.queries_of(b) == 0) return;
  const int64_t length = view.lengths[b], grouped = length - length % 4;
  for (int64_t s = 0; s < grouped; s += 4) score_keys<4>(view, b, s, weights);
  for (int64_t s = grouped; s < length; ++s) score_keys<1>(view, b, s, weights);
  for (int64_t t = 0; t < view.queries_of(b); ++t) normalise(view, t, b, weights, context);
  for (int64_t s = 0; s < grouped; s += 4) mix_values<4>(view, b, s, weights, context);
  for (int64_t s = grouped; s < length; ++s) mix_values<1>(view, b, s, weights, context);
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(attend_sentence);

void attention_forward(const AttentionForm& form, const AttentionOperands& operands,
                       const AttentionMask& mask, const AttentionResult& result) {
  const AttentionView view = view_of(form, operands, mask);
  parallel_for(view.batch, kAttentionGrain, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b)
      HWY_DYNAMIC_DISPATCH(attend_sentence)(view, b, result.weights.data, result.context.data);
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
