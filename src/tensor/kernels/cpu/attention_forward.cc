// Attention, forward: scores, mask, softmax and context of one sentence at a time. The tanh of
// additive attention is summed up as it is computed and never written to memory.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/attention_forward.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include "tensor/kernels/cpu/attention_view.h"
#include "tensor/kernels/cpu/checks.h"
#include "tensor/kernels/cpu/softmax-inl.h"
#include "tensor/kernels/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::HWY_NAMESPACE {

HWY_INLINE Real dot_score(const Real* q, const Real* k, int64_t n) {
  V total = set(0);
  each_vector(n, [&](int64_t i, auto part)
                     HWY_ATTR { total = hn::MulAdd(part.load(q + i), part.load(k + i), total); });
  return sum_lanes(total);
}

HWY_INLINE Real additive_score(const Real* v, const Real* q, const Real* k, int64_t n) {
  V total = set(0);
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V squashed = tanh_of(hn::Add(part.load(q + i), part.load(k + i)));
    total = hn::MulAdd(part.load(v + i), squashed, total);
  });
  return sum_lanes(total);
}

HWY_INLINE void score_keys(const AttentionView& view, int64_t t, int64_t b, Real* e) {
  const Real* q = view.query(t, b);
  for (int64_t s = 0; s < view.lengths[b]; ++s) {
    const Real* k = view.key(s, b);
    e[s] = view.kind == ScoreKind::dot ? view.scale * dot_score(q, k, view.depth)
                                       : additive_score(view.v, q, k, view.depth);
  }
}

// context = sum_s weights[s] values[s, b], a block of columns at a time so that the sum stays in
// registers.
HWY_INLINE void mix_values(const AttentionView& view, int64_t b, const Real* weights,
                           Real* context) {
  const int64_t lanes = lane_count(), stride = view.batch * view.width, length = view.lengths[b];
  const Real* values = view.value(0, b);
  const Whole whole;
  int64_t i = 0;
  for (; i + 4 * lanes <= view.width; i += 4 * lanes) {
    V c0 = set(0), c1 = c0, c2 = c0, c3 = c0;
    for (int64_t s = 0; s < length; ++s) {
      const Real* row = values + s * stride + i;
      const V w = set(weights[s]);
      c0 = hn::MulAdd(w, whole.load(row), c0);
      c1 = hn::MulAdd(w, whole.load(row + lanes), c1);
      c2 = hn::MulAdd(w, whole.load(row + 2 * lanes), c2);
      c3 = hn::MulAdd(w, whole.load(row + 3 * lanes), c3);
    }
    whole.store(c0, context + i);
    whole.store(c1, context + i + lanes);
    whole.store(c2, context + i + 2 * lanes);
    whole.store(c3, context + i + 3 * lanes);
  }
  each_vector(view.width - i, [&](int64_t j, auto part) HWY_ATTR {
    V c = set(0);
    for (int64_t s = 0; s < length; ++s)
      c = hn::MulAdd(set(weights[s]), part.load(values + s * stride + i + j), c);
    part.store(c, context + i + j);
  });
}

void attend_sentence(const AttentionView& view, int64_t b, Real* weights, Real* context) {
  const int64_t length = view.lengths[b];
  for (int64_t t = 0; t < view.steps; ++t) {
    Real* w = weights + (t * view.batch + b) * view.source;
    if (length > 0) {
      score_keys(view, t, b, w);
      const double sum = exp_row(w, row_max(w, length), w, length);
      scale_row(static_cast<Real>(1 / sum), w, length);
    }
    for (int64_t s = length; s < view.source; ++s) w[s] = 0;
    mix_values(view, b, w, context + (t * view.batch + b) * view.width);
  }
}

}  // namespace heed::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels {

HWY_EXPORT(attend_sentence);

void attention_forward(const Score& score, const Tensor& queries, const Tensor& keys,
                       const Tensor& values, const int32_t* lengths, Tensor weights,
                       Tensor context) {
  const AttentionView view =
      attention_view("attention_forward", score, queries, keys, values, lengths);
  require_shape("attention_forward", "weights", weights, {view.steps, view.batch, view.source});
  require_shape("attention_forward", "context", context, {view.steps, view.batch, view.width});
  for_chunks(view.batch, kAttentionGrain, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b)
      HWY_DYNAMIC_DISPATCH(attend_sentence)(view, b, weights.data, context.data);
  });
}

}  // namespace heed::kernels
#endif  // HWY_ONCE
