#include "nn/output_layer.h"

#include "base/error.h"

namespace heed {

OutputLayer::OutputLayer(ParameterStore& store, const Parameter* tied, int64_t vocabulary,
                         int64_t readout)
    : weight_(tied != nullptr ? tied
                              : &store.add("output.weight", {vocabulary, readout}, Init::glorot)),
      bias_(&store.add("output.bias", {vocabulary}, Init::zero)) {}

CrossEntropyResult OutputLayer::loss(Tape& tape, Var readout, const TargetRows& rows,
                                     const ForwardOptions& options) const {
  const Var hidden = dropout(tape, select_rows(tape, readout, rows.rows), options.dropout.output,
                             dropout_key(options, DropoutPlace::output));
  return project_and_cross_entropy(tape, hidden, *weight_, *bias_, rows.targets,
                                   options.label_smoothing);
}

Tensor OutputLayer::log_probabilities(Tape& tape, Var readout) const {
  const Tensor logits = linear_transposed(tape, readout, *weight_, bias_).value();
  kernels::log_softmax(logits, logits);
  return logits;
}

Tensor OutputLayer::token_log_probabilities(Tape& tape, Var readout, const Ids& out) const {
  check(!tape.recording(), "[token_log_probabilities] the tape must not record");
  const Tensor result = tape.arena().tensor(out.shape);
  for (int64_t t = 0; t < out.shape[0]; ++t) {
    const Arena::Mark mark = tape.arena().mark();
    kernels::pick(log_probabilities(tape, tape.at(readout, t)), out.at(t), result.at(t));
    tape.arena().release(mark);
  }
  return result;
}

OutputSubset OutputLayer::restricted_to(std::span<const Shortlist> shortlists) const {
  return OutputSubset(*weight_, *bias_, shortlists);
}

}  // namespace heed
