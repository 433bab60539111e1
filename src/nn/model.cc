#include "nn/model.h"

#include "base/error.h"
#include "nn/network.h"
#include "nn/step_session.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

void check_tokens(const Batch& batch) {
  check(batch.T > 0 && batch.S > 0,
        "[run] a batch has source and target tokens. Received S = {}, T = {}", batch.S, batch.T);
}

int64_t source_vocabulary(const Network& network) {
  return network.embeddings.source_table().value.shape[0];
}

}  // namespace

Model::Model(const ModelConfig& config, int64_t source_vocabulary, int64_t target_vocabulary,
             Device device)
    : config_(config),
      store_(device),
      network_(std::make_unique<Network>(config, store_,
                                         VocabularySizes{source_vocabulary, target_vocabulary})),
      words_(std::make_unique<WordTable>(network_->embeddings, *network_->decoder, store_)) {}

Model::~Model() = default;

void Model::allocate(bool with_gradients) { store_.allocate(with_gradients); }

void Model::initialise(uint64_t seed, bool with_gradients) {
  store_.allocate(with_gradients);
  store_.initialise(seed);
}

bool Model::has_attention() const { return network_->decoder->has_attention(); }

int64_t Model::target_vocabulary() const { return network_->output.vocabulary(); }

const Parameter& Model::output_weight() const { return network_->output.weight(); }

bool Model::is_table(const Parameter& parameter) const {
  return &parameter == &network_->embeddings.source_table() ||
         &parameter == &network_->embeddings.target_table() ||
         &parameter == &network_->output.weight();
}

LossResult Model::loss(Tape& tape, const Batch& batch, const ForwardOptions& options) {
  check_tokens(batch);
  const int64_t V = target_vocabulary();
  const SourceBatch source = upload_source(tape.arena(), batch, source_vocabulary(*network_));
  const Ids target_in = upload_target_in(tape.arena(), batch, V);
  const TargetRows rows = upload_real_rows(tape.arena(), batch, V);
  const EncoderOutput encoded = network_->encode(tape, source, options);
  const DecoderOutput out = network_->decode(tape, encoded, target_in, options);
  const CrossEntropyResult result = network_->output.loss(tape, out.readout, rows, options);
  return {result.loss, result.totals, batch.target_tokens};
}

Forced Model::force(Tape& tape, const Batch& batch, std::span<const Real> source_factors) {
  check(!tape.recording(), "[force] the tape must not record");
  check_tokens(batch);
  const SourceBatch source = upload_source(tape.arena(), batch, source_vocabulary(*network_));
  const Ids target_in = upload_target_in(tape.arena(), batch, target_vocabulary());
  const Ids target_out = upload_target_out(tape.arena(), batch, target_vocabulary());
  const Tensor vectors = network_->embeddings.source(tape, source.ids).value();
  const EncoderOutput encoded =
      network_->encode(tape, scaled_words(tape, vectors, source_factors), source, {});
  const DecoderOutput out = network_->decode(tape, encoded, target_in, {});
  return {network_->output.token_log_probabilities(tape, out.readout, target_out),
          out.weights ? out.weights.value() : Tensor{}};
}

// project_and_cross_entropy gives the mean of -log p over the B rows it sees, one per sentence, so
// the gradient of a log p is -B times what comes back. Sentences don't meet anywhere in the model:
// one backward pass is enough for all of them.
Tensor Model::source_influence(Tape& tape, const Batch& batch,
                               std::span<const Real> source_factors) {
  check(tape.recording(), "[source_influence] the tape must record");
  check_tokens(batch);
  Arena& arena = tape.arena();
  const int64_t V = target_vocabulary();
  const SourceBatch source = upload_source(arena, batch, source_vocabulary(*network_));
  const Ids target_in = upload_target_in(arena, batch, V);
  const TargetRows last = upload_last_rows(arena, batch, V);
  const Tensor influence = arena.tensor({batch.S, batch.B});
  Tape keeping(arena, false);  // `tape` reuses the memory of its results in the backward pass
  const Tensor vectors = network_->embeddings.source(keeping, source.ids).value();
  const Var words = scaled_words(tape, vectors, source_factors);
  const EncoderOutput encoded = network_->encode(tape, words, source, {});
  const DecoderOutput out = network_->decode(tape, encoded, target_in, {});
  tape.backward(network_->output.loss(tape, out.readout, last, {}).loss);
  kernels::dot_rows(tape.gradient(words), vectors, -static_cast<double>(batch.B), influence);
  return influence;
}

void Model::tabulate_words() { words_->fill(); }

std::unique_ptr<DecoderSession> Model::start(const Batch& batch,
                                             std::span<const Shortlist> shortlists) {
  return start_session(*network_, *words_, batch, shortlists);
}

double Model::training_flops(const Batch& batch) const {
  double multiplications = 0;
  for (size_t b = 0; b < batch.source_length.size(); ++b) {
    const double source = batch.source_length[b], target = batch.target_length[b];
    multiplications += network_->encoder->multiplications(source) +
                       network_->decoder->multiplications(source, target) +
                       target * network_->output.multiplications();
  }
  return 6 * multiplications;
}

}  // namespace heed
