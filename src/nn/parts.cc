#include "nn/parts.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/error.h"

namespace heed {
namespace {

// Beyond it a table of words stays unmade: its rows would come from slow memory.
constexpr int64_t kMostTableBytes = int64_t{128} << 20;

int64_t readout_size(const ModelConfig& config) {
  if (config.decoder.readout > 0) return config.decoder.readout;
  return config.tied_embeddings == "none" ? config.decoder.hidden : config.embedding;
}

}  // namespace

Parts::Parts(const ModelConfig& config, ParameterStore& parameters, int64_t source_vocabulary,
             int64_t target_vocabulary)
    : store(parameters) {
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
  target_embedding = &parameters.add("target.embedding", {target_vocabulary, E}, Init::embedding);
  source_embedding =
      tied == "all" ? target_embedding
                    : &parameters.add("source.embedding", {source_vocabulary, E}, Init::embedding);
  encoder = std::make_unique<Encoder>(config.encoder, parameters, *source_embedding);
  decoder = std::make_unique<Decoder>(config, parameters, encoder->state_size(), R);
  output_weight = tied == "none"
                      ? &parameters.add("output.weight", {target_vocabulary, R}, Init::glorot)
                      : target_embedding;
  output_bias = &parameters.add("output.bias", {target_vocabulary}, Init::zero);
}

WordInputs Parts::of_words(Tape& tape, const TokenId* ids, const Shape& shape,
                           const ForwardOptions& options) const {
  const Var embedded =
      drop_rows(tape, embed(tape, *target_embedding, ids, shape), options.dropout.word,
                dropout_key(options, DropoutPlace::target_words));
  return decoder->of_words(tape, dropout(tape, embedded, options.dropout.embedding,
                                         dropout_key(options, DropoutPlace::target_embedding)));
}

WordInputs Parts::of_words(Tape& tape, std::span<const TokenId> words) const {
  const auto rows = static_cast<int64_t>(words.size());
  if (table_.version != store.version()) return of_words(tape, words.data(), {1, rows}, {});
  const auto gather = [&](const Tensor& table) {
    const Tensor rows_of_words = tape.arena().tensor({1, rows, table.shape.last()});
    kernels::gather_rows(table, words.data(), rows,
                         rows_of_words.reshaped({rows, table.shape.last()}));
    return tape.constant(rows_of_words);
  };
  return {gather(table_.cell), gather(table_.readout)};
}

void Parts::tabulate_words() {
  const int64_t V = target_embedding->value.shape[0];
  const int64_t G = decoder->cell_input_size(), R = decoder->readout_size();
  if (table_.version == store.version()) return;
  if (V * (G + R) * static_cast<int64_t>(sizeof(Real)) > kMostTableBytes) return;
  Arena scratch;
  table_.memory.reset();
  table_.cell = table_.memory.tensor({V, G});
  table_.readout = table_.memory.tensor({V, R});
  constexpr int64_t kWords = 512;  // at once: enough rows for the products, a few MB of scratch
  std::vector<TokenId> ids(kWords);
  for (int64_t begin = 0; begin < V; begin += kWords) {
    const int64_t count = std::min(kWords, V - begin);
    std::iota(ids.begin(), ids.end(), static_cast<TokenId>(begin));
    scratch.reset();
    Tape tape(scratch, false);
    const WordInputs words = of_words(tape, ids.data(), {1, count}, {});
    kernels::copy(words.cell.value().at(0), table_.cell.slice(begin, begin + count));
    kernels::copy(words.readout.value().at(0), table_.readout.slice(begin, begin + count));
  }
  table_.version = store.version();
}

DecoderOutput Parts::run(Tape& tape, Var source_words, const Batch& batch,
                         const ForwardOptions& options) const {
  check(batch.T > 0 && batch.S > 0,
        "[run] a batch has source and target tokens. Received S = {}, T = {}", batch.S, batch.T);
  const EncoderOutput encoded = encoder->run(tape, source_words, batch, options);
  const WordInputs words = of_words(tape, batch.target_in.data(), {batch.T, batch.B}, options);
  const DecoderState start = decoder->start(tape, encoded.summary);
  return decoder->run(tape, decoder->prepare(tape, encoded), words, start, options, false);
}

}  // namespace heed
