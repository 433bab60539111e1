#include "train/training_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace heed {
namespace {

ReachedLimit limit_of(const char* key, int64_t value) {
  return {key, fmt::format("{} = {} reached", key, value)};
}

}  // namespace

std::optional<ReachedLimit> TrainingLimits::reached(const TrainingState& state,
                                                    double minutes) const {
  const int64_t not_better = state.regular.not_better;
  if (config_.patience > 0 && not_better >= config_.patience)
    return ReachedLimit{
        "train.patience",
        fmt::format("no better {} in {} validation{} ({})", metric_.name, not_better,
                    not_better == 1 ? "" : "s", best_text(state.regular, metric_))};
  if (config_.updates > 0 && state.update >= config_.updates)
    return limit_of("train.updates", config_.updates);
  if (config_.epochs > 0 && state.epoch >= config_.epochs)
    return limit_of("train.epochs", config_.epochs);
  if (config_.minutes > 0 && minutes >= config_.minutes)
    return limit_of("train.minutes", config_.minutes);
  return std::nullopt;
}

double TrainingLimits::planned_fraction(const TrainingState& state, double epoch_share) const {
  double fraction = -1;
  if (config_.updates > 0)
    fraction = static_cast<double>(state.update) / static_cast<double>(config_.updates);
  if (config_.epochs > 0)
    fraction =
        std::max(fraction, (static_cast<double>(state.epoch) + epoch_share) / config_.epochs);
  return fraction;
}

double TrainingLimits::fraction_done(const TrainingState& state, double epoch_share,
                                     double minutes) const {
  return std::max(planned_fraction(state, epoch_share),
                  config_.minutes > 0 ? minutes / config_.minutes : -1);
}

}  // namespace heed
