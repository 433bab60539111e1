// Model::source_influence: gradient x input of one target token a sentence.
//
// project_and_cross_entropy gives the mean of -log p over the B rows it sees, one a sentence, so
// the gradient of a log p is -B times what comes back. Sentences don't meet anywhere in the model:
// one way back serves all of them.
#include "base/error.h"
#include "nn/model.h"
#include "nn/parts.h"
#include "nn/target_rows.h"

namespace heed {
namespace {

double dot(const Real* x, const Real* y, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return sum;
}

}  // namespace

Tensor Model::source_influence(Tape& tape, const Batch& batch,
                               std::span<const Real> source_factors) {
  check(tape.recording(), "[source_influence] the tape records");
  Arena& arena = tape.arena();
  const TargetRows last = last_rows(arena, batch);
  const Tensor influence = arena.zeros({batch.S, batch.B});
  Tape keeping(arena, false);  // `tape` takes the memory of its results back on the way back
  const Tensor vectors = parts_->encoder->words(keeping, batch).value();
  const Var words = scaled_words(tape, vectors, source_factors);
  const Var hidden = select_rows(tape, parts_->run(tape, words, batch, {}).readout, last.rows);
  tape.backward(project_and_cross_entropy(tape, hidden, *parts_->output_weight,
                                          *parts_->output_bias, last.targets, 0)
                    .loss);
  const Tensor gradient = tape.gradient(words);
  const int64_t E = config_.embedding;
  for (int64_t s = 0; s < batch.S; ++s)
    for (int64_t b = 0; b < batch.B; ++b) {
      if (s >= batch.source_length[static_cast<size_t>(b)]) continue;
      const int64_t row = s * batch.B + b;
      const double sum = dot(gradient.data + row * E, vectors.data + row * E, E);
      influence.data[row] = static_cast<Real>(-static_cast<double>(batch.B) * sum);
    }
  return influence;
}

}  // namespace heed
