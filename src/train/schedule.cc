#include "train/schedule.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace heed {

const Schedule::Row Schedule::kRows[] = {
    {"constant", Kind::constant},
    {"inverse_sqrt", Kind::inverse_sqrt},
    {"linear", Kind::linear},
    {"plateau", Kind::plateau},
};

Schedule::Schedule(const TrainConfig& config) : config_(config) {
  std::string known;
  for (const Row& row : kRows) {
    if (config.schedule == row.name) {
      kind_ = row.kind;
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  fail("train.schedule: unknown schedule '{}'; known: {}", config.schedule, known);
}

double Schedule::rate(int64_t update, double done) const {
  const double u = static_cast<double>(update);
  const double warmup = config_.warmup;
  if (u < warmup) return config_.learning_rate * u / warmup;
  double rate = config_.learning_rate * state_.factor;
  if (kind_ == Kind::inverse_sqrt) rate *= std::sqrt(std::max(warmup, 1.0) / u);
  if (kind_ == Kind::linear) rate *= std::max(1 - done, 0.0);
  return std::max(rate, config_.min_learning_rate);
}

bool Schedule::validated(bool better) {
  if (kind_ != Kind::plateau) return false;
  state_.not_better = better ? 0 : state_.not_better + 1;
  if (state_.not_better <= config_.decay_patience) return false;
  state_.not_better = 0;
  // The rate is at min_learning_rate already. A smaller factor would change nothing now, and too
  // much if min_learning_rate is lowered later.
  if (config_.learning_rate * state_.factor <= config_.min_learning_rate) return false;
  state_.factor *= config_.decay_factor;
  return true;
}

}  // namespace heed
