#include "nn/model.h"

#include "base/error.h"
#include "nn/decoder.h"
#include "nn/encoder.h"
#include "nn/parts.h"
#include "nn/session.h"

namespace heed {
namespace {

int64_t readout_size(const ModelConfig& config) {
  if (config.decoder.readout > 0) return config.decoder.readout;
  return config.tied_embeddings == "none" ? config.decoder.hidden : config.embedding;
}

// Rows t * B + b of real target tokens, and their targets, in the arena. Past a sentence's end
// there is nothing to learn.
struct RealRows {
  std::span<const int32_t> rows;
  const int32_t* targets;
};

RealRows real_rows(Arena& arena, const Batch& batch) {
  const auto ints = [&] {
    return static_cast<int32_t*>(
        arena.bytes(static_cast<size_t>(batch.target_tokens) * sizeof(int32_t)));
  };
  int32_t *rows = ints(), *targets = ints();
  size_t count = 0;
  for (int64_t t = 0; t < batch.T; ++t)
    for (int64_t b = 0; b < batch.B; ++b) {
      if (t >= batch.target_length[static_cast<size_t>(b)]) continue;
      rows[count] = static_cast<int32_t>(t * batch.B + b);
      targets[count++] = batch.target_out[static_cast<size_t>(t * batch.B + b)];
    }
  return {{rows, count}, targets};
}

}  // namespace

Parts::Parts(const ModelConfig& config, ParameterStore& store, int64_t source_vocabulary,
             int64_t target_vocabulary) {
  const std::string& tied = config.tied_embeddings;
  const int64_t R = readout_size(config), E = config.embedding;
  if (tied == "all" && source_vocabulary != target_vocabulary)
    fail(
        "model.tied_embeddings: all needs one vocabulary for both sides (data.shared_vocab: true); "
        "here they have {} and {} "
        "entries",
        source_vocabulary, target_vocabulary);
  if (tied != "none" && R != E)
    fail(
        "model.decoder.readout: is {} but must equal model.embedding ({}) when "
        "model.tied_embeddings is {}",
        R, E, tied);
  target_embedding = &store.add("target.embedding", {target_vocabulary, E}, Init::embedding);
  source_embedding = tied == "all"
                         ? target_embedding
                         : &store.add("source.embedding", {source_vocabulary, E}, Init::embedding);
  encoder = std::make_unique<Encoder>(config.encoder, store, *source_embedding);
  decoder = std::make_unique<Decoder>(config, store, encoder->state_size(), R);
  output_weight = tied == "none" ? &store.add("output.weight", {target_vocabulary, R}, Init::glorot)
                                 : target_embedding;
  output_bias = &store.add("output.bias", {target_vocabulary}, Init::zero);
}

Var Parts::embed_target(Tape& tape, const TokenId* ids, const Shape& shape,
                        const ForwardOptions& options) const {
  const Var embedded = embed(tape, *target_embedding, ids, shape);
  return dropout(tape, embedded, options.dropout.embedding,
                 dropout_key(options, DropoutPlace::target_embedding));
}

DecoderOutput Parts::run(Tape& tape, const Batch& batch, const ForwardOptions& options) const {
  check(batch.T > 0 && batch.S > 0,
        "[run] a batch has source and target tokens. Received S = {}, T = {}", batch.S, batch.T);
  const EncoderOutput encoded = encoder->run(tape, batch, options);
  const Var embedded = embed_target(tape, batch.target_in.data(), {batch.T, batch.B}, options);
  const DecoderState start = decoder->start(tape, encoded.summary);
  return decoder->run(tape, decoder->prepare(tape, encoded), embedded, start, options, false);
}

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
  const RealRows real = real_rows(tape.arena(), batch);
  Var hidden = select_rows(tape, parts_->run(tape, batch, options).readout, real.rows);
  hidden =
      dropout(tape, hidden, options.dropout.output, dropout_key(options, DropoutPlace::output));
  const CrossEntropyResult result =
      project_and_cross_entropy(tape, hidden, *parts_->output_weight, *parts_->output_bias,
                                real.targets, options.label_smoothing);
  return {result.loss, result.cross_entropy, batch.target_tokens};
}

Model::Forced Model::force(Tape& tape, const Batch& batch) {
  check(!tape.recording(), "[force] the tape does not record");
  const DecoderOutput out = parts_->run(tape, batch, {});
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

std::unique_ptr<DecoderSession> Model::start(const Batch& batch,
                                             std::span<const Shortlist> shortlists) {
  return start_session(*parts_, batch, shortlists);
}

}  // namespace heed
