#include "tensor/kernels/cpu/attention_view.h"

#include <algorithm>

#include "tensor/kernels/cpu/checks.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

void check_queries(const char* kernel, const AttentionView& view, const Tensor& queries,
                   const Ids& row_begin) {
  if (row_begin.empty())
    return require_shape(kernel, "queries", queries, {view.steps, view.batch, view.depth});
  require_size(kernel, "row_begin", row_begin, view.batch + 1);
  require(queries.shape.last() == view.depth, kernel,
          "queries and keys must have the same last axis", queries);
#ifndef NDEBUG
  require(view.row_begin[0] == 0 && view.row_begin[view.batch] == queries.shape.rows() &&
              std::is_sorted(view.row_begin, view.row_begin + view.batch + 1),
          kernel, "row_begin must ascend from 0 to the number of queries", queries);
#endif
}

}  // namespace

AttentionView attention_view(const char* kernel, const AttentionForm& form,
                             const AttentionOperands& operands, const AttentionMask& mask) {
  const auto& [queries, keys, values] = operands;
  require(keys.shape.rank() == 3, kernel, "keys must have three axes", keys);
  require(values.shape.rank() == 3, kernel, "values must have three axes", values);
  require(!mask.row_begin.empty() || queries.shape.rank() == 3, kernel,
          "queries must have three axes", queries);
  const AttentionView view{
      .steps = mask.row_begin.empty() ? queries.shape[0] : 0,
      .batch = keys.shape[1],
      .source = keys.shape[0],
      .depth = keys.shape[2],
      .width = values.shape[2],
      .kind = form.score,
      .scale = form.scale,
      .v = form.v.data,
      .queries = queries.data,
      .keys = keys.data,
      .values = values.data,
      .lengths = mask.lengths.data,
      .row_begin = mask.row_begin.data,
  };
  require_shape(kernel, "values", values, {view.source, view.batch, view.width});
  if (form.score == ScoreKind::additive) require_size(kernel, "v", form.v, view.depth);
  require_size(kernel, "lengths", mask.lengths, view.batch);
  require_ids(kernel, mask.lengths, 0, view.source + 1);
  check_queries(kernel, view, queries, mask.row_begin);
  return view;
}

void count_attention(const AttentionView& view, bool backward) {
  int64_t pairs = 0;
  for (int64_t b = 0; b < view.batch; ++b) pairs += view.lengths[b] * view.queries_of(b);
  const int64_t evaluations = view.kind == ScoreKind::additive ? pairs * view.depth : 0;
  count_numbers((backward ? 3 : 1) * pairs * (view.depth + view.width), evaluations);
}

}  // namespace heed::kernels
