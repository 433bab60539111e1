// What ends a run, and how much of it is done.
#pragma once

#include <optional>
#include <string>

#include "config/config.h"
#include "train/training_state.h"
#include "train/validation_metric.h"

namespace heed {

// A limit that has been reached.
struct ReachedLimit {
  std::string key;      // of the config: the one to raise in order to go on
  std::string message;  // "train.epochs = 20 reached", "no better bleu in 5 validations (best ...)"
};

class TrainingLimits {
 public:
  // Both must outlive the limits.
  TrainingLimits(const TrainConfig& config, const ValidationMetric& metric)
      : config_(config), metric_(metric) {}

  // Nothing while there is more to do. If several limits are reached: patience first, then
  // updates, epochs and minutes. `minutes`: of the whole run so far.
  std::optional<ReachedLimit> reached(const TrainingState& state, double minutes) const;

  // The share of the updates or of the epochs that is done, whichever is larger; -1 if neither is
  // limited. `epoch_share`: how much of the present epoch is done, 0 to 1. It depends on no clock.
  double planned_fraction(const TrainingState& state, double epoch_share) const;
  // The same with the minutes among the limits.
  double fraction_done(const TrainingState& state, double epoch_share, double minutes) const;

 private:
  const TrainConfig& config_;
  const ValidationMetric& metric_;
};

}  // namespace heed
