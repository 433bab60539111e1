#include "train/gradients.h"

#include <cmath>
#include <vector>

#include "base/random.h"
#include "tensor/transfer.h"

namespace heed {

GradientFigures compute_gradients(Model& model, Arena& arena, const Batch& batch,
                                  const ForwardOptions& options) {
  arena.reset();
  {
    const OpScope scope("zero gradients");
    kernels::fill(model.parameters().gradients(), 0);
  }
  Tape tape(arena, true);
  const LossResult result = model.loss(tape, batch, options);
  tape.backward(result.loss);
  sum_squared_gradients(model.parameters(), result.totals.slice(2, 3));
  const std::vector<double> totals = download(result.totals);
  return {totals[0], totals[1], result.tokens, std::sqrt(totals[2])};
}

void sum_squared_gradients(ParameterStore& store, const Sums& total) {
  const OpScope scope("gradient norm");
  kernels::sum_of_squares(store.gradients(), total);
}

ForwardOptions forward_options(const Config& config, int64_t update) {
  const DropoutConfig& rates = config.train.dropout;
  ForwardOptions options;
  options.dropout = {static_cast<Real>(rates.embedding), static_cast<Real>(rates.states),
                     static_cast<Real>(rates.output), static_cast<Real>(rates.recurrent),
                     static_cast<Real>(rates.word)};
  options.dropout_seed = mix(config.run.seed, static_cast<uint64_t>(update));
  options.label_smoothing = static_cast<Real>(config.train.label_smoothing);
  return options;
}

}  // namespace heed
