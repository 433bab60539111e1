// context = softmax(score(queries, keys)) values, masked; the derivative of the whole is in
// attention_backward. The gradient of additive attention's v comes as a row for each sentence and
// is summed here, in a fixed order.
#include "autograd/ops.h"
#include "base/error.h"

namespace heed {
namespace {

kernels::Score kernel_of(const AttentionScore& score) {
  return {score.kind, score.scale, score.v == nullptr ? Tensor{} : score.v->value};
}

}  // namespace

Tensor attend_rows(Tape& tape, const AttentionScore& score, Var queries, const int32_t* first,
                   Var keys, Var values, const int32_t* lengths, Var context) {
  const OpScope scope("attend");
  check(!tape.recording(), "[attend_rows] has no gradient: the tape must not record");
  const Tensor weights = tape.arena().tensor({queries.shape()[0], keys.shape()[0]});
  kernels::attention_forward_of_rows(kernel_of(score), queries.value(), first, keys.value(),
                                     values.value(), lengths, weights, context.value());
  return weights;
}

Tensor attend(Tape& tape, const AttentionScore& score, Var queries, Var keys, Var values,
              const int32_t* lengths, Var context) {
  const OpScope scope("attend");
  check(queries.shape().rank() == 3 && keys.shape().rank() == 3 &&
            queries.shape()[2] == keys.shape()[2],
        "[attend] queries [Tq, B, A] and keys [S, B, A] have one size. Received {} and {}",
        queries.shape().text(), keys.shape().text());
  const kernels::Score kernel = kernel_of(score);
  const int64_t Tq = queries.shape()[0], B = queries.shape()[1], S = keys.shape()[0];
  const Tensor weights = tape.arena().tensor({Tq, B, S});
  kernels::attention_forward(kernel, queries.value(), keys.value(), values.value(), lengths,
                             weights, context.value());
  tape.record([&tape, kernel, v = score.v, queries, keys, values, lengths, context, weights] {
    const bool additive = kernel.kind == kernels::ScoreKind::additive;
    const Tensor dv_rows =
        additive ? tape.scratch({queries.shape()[1], queries.shape()[2]}) : Tensor{};
    if (additive) kernels::fill(dv_rows, 0);
    kernels::attention_backward(kernel, queries.value(), keys.value(), values.value(), lengths,
                                weights, tape.gradient(context), {},
                                tape.gradient_or_scratch(queries), tape.gradient_or_scratch(keys),
                                tape.gradient_or_scratch(values), dv_rows);
    if (additive && !v->gradient.empty()) kernels::sum_rows(dv_rows, v->gradient);
  });
  return weights;
}

}  // namespace heed
