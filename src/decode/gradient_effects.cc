// Row r of the batches is for target position t = r / points and point r % points: the source, with
// the target up to position t. The rows of a batch have similar lengths, and one backward pass
// gives a row of the matrix for each of them.
#include <algorithm>

#include "decode/quadrature.h"
#include "decode/source_effects.h"
#include "tensor/transfer.h"
#include "text/batch.h"

namespace heed {
namespace {

class GradientRows {
 public:
  GradientRows(const EffectInput& input, std::span<const GradientPoint> points)
      : input_(input),
        points_(points),
        rows_(static_cast<int64_t>((input.target.size() + 1) * points.size())) {}

  int64_t count() const { return rows_; }
  int64_t position(int64_t row) const { return row / static_cast<int64_t>(points_.size()); }
  const GradientPoint& point(int64_t row) const {
    return points_[static_cast<size_t>(row) % points_.size()];
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
    std::vector<SentencePair> pairs;
    for (int64_t row = begin; row < end; ++row)
      pairs.push_back({input_.source, input_.target.first(static_cast<size_t>(position(row)))});
    Batch batch = make_batch(pairs);
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
      for (int64_t b = 0; b < batch.B; ++b)
        factors.push_back(static_cast<Real>(point(begin + b).scale));
    return factors;
  }

 private:
  const EffectInput& input_;
  std::span<const GradientPoint> points_;
  int64_t rows_;
};

}  // namespace

Matrix gradient_effects(const EffectInput& input, std::span<const GradientPoint> points) {
  Matrix effects(input.target.size() + 1, std::vector<double>(input.source.size() + 1, 0.0));
  const GradientRows rows(input, points);
  for (int64_t begin = 0, end = 0; begin < rows.count(); begin = end) {
    end = rows.batch_end(begin);
    const Batch batch = rows.batch(begin, end);
    input.arena.reset();
    Tape tape(input.arena, true);
    const HostView influence(input.model.source_influence(tape, batch, rows.factors(begin, batch)));
    for (int64_t b = 0; b < batch.B; ++b) {
      std::vector<double>& effect = effects[static_cast<size_t>(rows.position(begin + b))];
      const double weight = rows.point(begin + b).weight;
      for (size_t s = 0; s < effect.size(); ++s)
        effect[s] += weight * static_cast<double>(
                                  influence.row(static_cast<int64_t>(s))[static_cast<size_t>(b)]);
    }
  }
  return effects;
}

std::vector<GradientPoint> integration_points(int64_t steps) {
  std::vector<GradientPoint> points;
  for (const auto& [u, weight] : gauss_legendre(steps)) points.push_back({u * u, 2 * u * weight});
  return points;
}

std::vector<double> gains_over_zero(const EffectInput& input, std::span<const double> log_p) {
  const SentencePair pair{input.source, input.target};
  const Batch batch = make_batch({&pair, 1});
  input.arena.reset();
  Tape tape(input.arena, false);
  const std::vector<Real> zeros(input.source.size() + 1, 0);
  const HostView baseline(input.model.force(tape, batch, zeros).token_log_probability);
  std::vector<double> gains;
  for (size_t t = 0; t < log_p.size(); ++t)
    gains.push_back(log_p[t] - static_cast<double>(baseline.all()[t]));
  return gains;
}

}  // namespace heed
