#include "tensor/kernels/cpu/attention_view.h"

#include <algorithm>

#include "tensor/kernels/cpu/checks.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

// All but the queries.
AttentionView memory_view(const char* kernel, const Score& score, const Tensor& keys,
                          const Tensor& values, const int32_t* lengths) {
  require(keys.shape.rank() == 3, kernel, "keys must have three axes", keys);
  require(values.shape.rank() == 3, kernel, "values must have three axes", values);
  const AttentionView view{
      .steps = 0,
      .batch = keys.shape[1],
      .source = keys.shape[0],
      .depth = keys.shape[2],
      .width = values.shape[2],
      .kind = score.kind,
      .scale = score.scale,
      .v = score.v.data,
      .queries = nullptr,
      .keys = keys.data,
      .values = values.data,
      .lengths = lengths,
  };
  require_shape(kernel, "keys", keys, {view.source, view.batch, view.depth});
  require_shape(kernel, "values", values, {view.source, view.batch, view.width});
  if (score.kind == ScoreKind::additive) require_size(kernel, "v", score.v, view.depth);
  for (int64_t b = 0; b < view.batch; ++b)
    require(lengths[b] >= 0 && lengths[b] <= view.source, kernel,
            "every length must lie between 0 and the keys' first axis", keys);
  return view;
}

}  // namespace

AttentionView attention_view(const char* kernel, const Score& score, const Tensor& queries,
                             const Tensor& keys, const Tensor& values, const int32_t* lengths) {
  require(queries.shape.rank() == 3, kernel, "queries must have three axes", queries);
  AttentionView view = memory_view(kernel, score, keys, values, lengths);
  view.steps = queries.shape[0];
  view.queries = queries.data;
  require_shape(kernel, "queries", queries, {view.steps, view.batch, view.depth});
  return view;
}

AttentionView attention_view_of_rows(const char* kernel, const Score& score, const Tensor& queries,
                                     const int32_t* first, const Tensor& keys, const Tensor& values,
                                     const int32_t* lengths) {
  AttentionView view = memory_view(kernel, score, keys, values, lengths);
  view.first = first;
  view.queries = queries.data;
  require(first[0] == 0 && std::is_sorted(first, first + view.batch + 1), kernel,
          "the first rows of the sentences must ascend from 0", queries);
  require_matrix(kernel, "queries", queries, first[view.batch], view.depth);
  return view;
}

void count_attention(const AttentionView& view, bool backward) {
  int64_t pairs = 0;
  for (int64_t b = 0; b < view.batch; ++b) pairs += view.lengths[b] * view.queries_of(b);
  const int64_t evaluations = view.kind == ScoreKind::additive ? pairs * view.depth : 0;
  count_numbers((backward ? 3 : 1) * pairs * (view.depth + view.width), evaluations);
}

}  // namespace heed::kernels
