#include "nn/model.h"

#include "base/error.h"
#include "nn/parts.h"
#include "nn/session.h"
#include "nn/target_rows.h"

namespace heed {

Model::Model(const ModelConfig& config, int64_t source_vocabulary, int64_t target_vocabulary)
    : config_(config),
      source_vocabulary_(source_vocabulary),
      target_vocabulary_(target_vocabulary),
      parts_(std::make_unique<Parts>(config, store_, source_vocabulary, target_vocabulary)) {}

Model::~Model() = default;

void Model::initialise(uint64_t seed, bool with_gradients) {
  store_.allocate(seed, with_gradients);
}

void Model::lay_out(bool with_gradients) { store_.lay_out(with_gradients); }

bool Model::is_table(const Parameter& parameter) const {
  return &parameter == parts_->source_embedding || &parameter == parts_->target_embedding ||
         &parameter == parts_->output_weight;
}

LossResult Model::loss(Tape& tape, const Batch& batch, const ForwardOptions& options) {
  const TargetRows real = real_rows(tape.arena(), batch);
  Var hidden = select_rows(tape, parts_->run(tape, batch, options).readout, real.rows);
  hidden =
      dropout(tape, hidden, options.dropout.output, dropout_key(options, DropoutPlace::output));
  const CrossEntropyResult result =
      project_and_cross_entropy(tape, hidden, *parts_->output_weight, *parts_->output_bias,
                                real.targets, options.label_smoothing);
  return {result.loss, result.cross_entropy, batch.target_tokens};
}

Model::Forced Model::force(Tape& tape, const Batch& batch, std::span<const Real> source_factors) {
  check(!tape.recording(), "[force] the tape does not record");
  const Tensor vectors = parts_->encoder->words(tape, batch).value();
  const DecoderOutput out =
      parts_->run(tape, scaled_words(tape, vectors, source_factors), batch, {});
  Forced forced{tape.arena().zeros({batch.T, batch.B}), out.attention};
  const Tensor scratch = tape.arena().tensor({batch.B, target_vocabulary_});
  for (int64_t t = 0; t < batch.T; ++t) {
    const Arena::Mark mark = tape.arena().mark();
    const Var logits = linear_transposed(tape, tape.step(out.readout, t), *parts_->output_weight,
                                         parts_->output_bias);
    kernels::log_softmax(logits.value(), scratch);
    for (int64_t b = 0; b < batch.B; ++b)
      if (t < batch.target_length[static_cast<size_t>(b)])
        forced.token_log_probability.data[t * batch.B + b] =
            scratch.data[b * target_vocabulary_ +
                         batch.target_out[static_cast<size_t>(t * batch.B + b)]];
    tape.arena().release(mark);
  }
  return forced;
}

void Model::tabulate_words() { parts_->tabulate_words(); }

std::unique_ptr<DecoderSession> Model::start(const Batch& batch,
                                             std::span<const Shortlist> shortlists) {
  return start_session(*parts_, batch, shortlists);
}

}  // namespace heed
