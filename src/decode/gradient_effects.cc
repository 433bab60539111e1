// Row r of the batches asks for target position t = r / scales and scale r % scales: the source
// again, with the target up to position t. So rows of a batch are alike in length, and one way back
// gives a row of the matrix for each.
#include <algorithm>

#include "decode/source_effects.h"
#include "text/batch.h"
#include "text/corpus.h"

namespace heed {
namespace {

class GradientRows {
 public:
  GradientRows(const EffectInput& input, std::span<const double> scales)
      : input_(input),
        scales_(static_cast<int64_t>(scales.size())),
        scale_(scales),
        rows_(static_cast<int64_t>(input.target.size() + 1) * scales_) {}

  int64_t count() const { return rows_; }
  int64_t position(int64_t row) const { return row / scales_; }
  Real scale(int64_t row) const {
    return static_cast<Real>(scale_[static_cast<size_t>(row % scales_)]);
  }

  // The end of the batch that begins with row `begin`.
  int64_t batch_end(int64_t begin) const {
    const auto S = static_cast<int64_t>(input_.source.size() + 1);
    int64_t end = begin + 1;
    while (end < rows_ && (end + 1 - begin) * std::max(S, position(end) + 1) <= input_.batch_tokens)
      ++end;
    return end;
  }

  Batch batch(int64_t begin, int64_t end) const {
    Corpus corpus;
    std::vector<int64_t> pairs;
    for (int64_t row = begin; row < end; ++row) {
      corpus.add(input_.source, input_.target.first(static_cast<size_t>(position(row))));
      pairs.push_back(row - begin);
    }
    Batch batch = make_batch(corpus, pairs);
    for (int64_t b = 0; b < batch.B; ++b) {
      const auto t = static_cast<size_t>(position(begin + b));
      if (t < input_.target.size())
        batch.target_out[t * static_cast<size_t>(batch.B) + static_cast<size_t>(b)] =
            input_.target[t];
    }
    return batch;
  }

  // [S, B]
  std::vector<Real> factors(int64_t begin, const Batch& batch) const {
    std::vector<Real> factors;
    for (int64_t s = 0; s < batch.S; ++s)
      for (int64_t b = 0; b < batch.B; ++b) factors.push_back(scale(begin + b));
    return factors;
  }

 private:
  const EffectInput& input_;
  int64_t scales_;
  std::span<const double> scale_;
  int64_t rows_;
};

}  // namespace

Matrix gradient_effects(const EffectInput& input, std::span<const double> scales) {
  Matrix effects(input.target.size() + 1, std::vector<double>(input.source.size() + 1, 0.0));
  const GradientRows rows(input, scales);
  const double share = 1.0 / static_cast<double>(scales.size());
  for (int64_t begin = 0, end = 0; begin < rows.count(); begin = end) {
    end = rows.batch_end(begin);
    const Batch batch = rows.batch(begin, end);
    input.arena.reset();
    Tape tape(input.arena, true);
    const Tensor influence = input.model.source_influence(tape, batch, rows.factors(begin, batch));
    for (int64_t b = 0; b < batch.B; ++b) {
      std::vector<double>& effect = effects[static_cast<size_t>(rows.position(begin + b))];
      for (size_t s = 0; s < effect.size(); ++s)
        effect[s] +=
            share * static_cast<double>(influence.data[static_cast<int64_t>(s) * batch.B + b]);
    }
  }
  return effects;
}

std::vector<double> integration_scales(int64_t steps) {
  std::vector<double> scales;
  for (int64_t k = 0; k < steps; ++k)
    scales.push_back((static_cast<double>(k) + 0.5) / static_cast<double>(steps));
  return scales;
}

}  // namespace heed
