// context = softmax(score(queries, keys)) values, masked; the derivative of the whole is in the
// kernel, attention_backward. The gradient of additive attention's v comes as a row per sentence
// and is summed here, in a fixed order.
#include "autograd/ops.h"
#include "base/error.h"

namespace heed {
namespace {

kernels::AttentionForm kernel_of(const AttendForm& form) {
  return {form.score, form.scale, form.v == nullptr ? Tensor{} : form.v->value};
}

kernels::AttentionOperands values_of(const AttendInputs& inputs) {
  return {inputs.queries.value(), inputs.keys.value(), inputs.values.value()};
}

}  // namespace

void attend(Tape& tape, const AttendForm& form, const AttendInputs& inputs, const Attended& into) {
  const OpScope scope("attend");
  const Shape &queries = inputs.queries.shape(), &keys = inputs.keys.shape();
  check(keys.rank() == 3 && queries.last() == keys[2],
        "[attend] queries [Tq, B, A] and keys [S, B, A] have one size. Received {} and {}", queries,
        keys);
  check(inputs.mask.row_begin.empty() || !tape.recording(),
        "[attend] rows of different sentences have no gradient: the tape must not record");
  kernels::attention_forward(kernel_of(form), values_of(inputs), inputs.mask,
                             {into.weights.value(), into.context.value()});
  tape.record([&tape, form, inputs, into] {
    const bool additive = form.score == kernels::ScoreKind::additive;
    const Shape& shape = inputs.keys.shape();
    const Tensor dv_rows = additive ? tape.scratch({shape[1], shape[2]}) : Tensor{};
    if (additive) kernels::fill(dv_rows, 0);
    const kernels::AttentionResult dresult{tape.gradient_if_any(into.weights),
                                           tape.gradient(into.context)};
    kernels::attention_backward(
        kernel_of(form), values_of(inputs), inputs.mask, into.weights.value(), dresult,
        {tape.gradient_or_scratch(inputs.queries), tape.gradient_or_scratch(inputs.keys),
         tape.gradient_or_scratch(inputs.values), dv_rows});
    if (additive && !form.v->gradient.empty()) kernels::sum_rows(dv_rows, form.v->gradient);
  });
}

}  // namespace heed
