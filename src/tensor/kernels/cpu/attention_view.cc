#include "tensor/kernels/cpu/attention_view.h"

#include "tensor/kernels/cpu/checks.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {

AttentionView attention_view(const char* kernel, const Score& score, const Tensor& queries,
                             const Tensor& keys, const Tensor& values, const int32_t* lengths) {
  require(queries.shape.rank() == 3, kernel, "queries must have three axes", queries);
  require(keys.shape.rank() == 3, kernel, "keys must have three axes", keys);
  require(values.shape.rank() == 3, kernel, "values must have three axes", values);
  AttentionView view{queries.shape[0], queries.shape[1], keys.shape[0], keys.shape[2],
                     values.shape[2],  score.kind,       score.scale,   score.v.data,
                     queries.data,     keys.data,        values.data,   lengths};
  require_shape(kernel, "queries", queries, {view.steps, view.batch, view.depth});
  require_shape(kernel, "keys", keys, {view.source, view.batch, view.depth});
  require_shape(kernel, "values", values, {view.source, view.batch, view.width});
  if (score.kind == ScoreKind::additive) require_size(kernel, "v", score.v, view.depth);
  for (int64_t b = 0; b < view.batch; ++b)
    require(lengths[b] >= 0 && lengths[b] <= view.source, kernel,
            "every length must lie between 0 and the keys' first axis", keys);
  return view;
}

void count_attention(const AttentionView& view, bool backward) {
  int64_t positions = 0;
  for (int64_t b = 0; b < view.batch; ++b) positions += view.lengths[b];
  const int64_t pairs = positions * view.steps;
  const int64_t evaluations = view.kind == ScoreKind::additive ? pairs * view.depth : 0;
  count_numbers((backward ? 3 : 1) * pairs * (view.depth + view.width), evaluations);
}

}  // namespace heed::kernels
