#include "nn/embeddings.h"

#include <cmath>

#include "base/error.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

Var word_vectors(Tape& tape, const Parameter& table, const Ids& ids) {
  return embedding(tape, table, ids, std::sqrt(static_cast<Real>(table.value.shape.last())));
}

// The dropout of one side: of whole words, then of elements.
Var dropped(Tape& tape, Var words, const ForwardOptions& options, DropoutPlace of_words,
            DropoutPlace of_elements) {
  words = drop_rows(tape, words, options.dropout.word, dropout_key(options, of_words));
  return dropout(tape, words, options.dropout.embedding, dropout_key(options, of_elements));
}

}  // namespace

Embeddings::Embeddings(const ModelConfig& config, ParameterStore& store,
                       const VocabularySizes& sizes) {
  const bool shared = config.tied_embeddings == "all";
  if (shared && sizes.source != sizes.target)
    fail(
        "model.tied_embeddings: all needs one vocabulary for both sides (data.shared_vocab: true); "
        "here they have {} and {} entries",
        sizes.source, sizes.target);
  target_ = &store.add("target.embedding", {sizes.target, config.embedding}, Init::embedding);
  source_ = shared
                ? target_
                : &store.add("source.embedding", {sizes.source, config.embedding}, Init::embedding);
}

Var Embeddings::source(Tape& tape, const Ids& ids) const {
  return word_vectors(tape, *source_, ids);
}

Var Embeddings::target(Tape& tape, const Ids& ids, const ForwardOptions& options) const {
  return dropped(tape, word_vectors(tape, *target_, ids), options, DropoutPlace::target_words,
                 DropoutPlace::target_embedding);
}

Var Embeddings::drop_source(Tape& tape, Var words, const ForwardOptions& options) {
  return dropped(tape, words, options, DropoutPlace::source_words, DropoutPlace::source_embedding);
}

Var scaled_words(Tape& tape, const Tensor& words, std::span<const Real> factors) {
  if (factors.empty()) return tape.leaf(words);
  const int64_t count = words.shape.rows();
  check(std::ssize(factors) == count, "[scaled_words] a factor for each word. Received {} for {}",
        factors.size(), words.shape);
  const Tensor scaled = tape.arena().zeros(words.shape);
  kernels::add_scaled_rows(upload(tape.arena(), factors, {count}), words, scaled);
  return tape.leaf(scaled);
}

}  // namespace heed
