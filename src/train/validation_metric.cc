#include "train/validation_metric.h"

#include <cmath>

#include "base/error.h"
#include "base/numbers.h"

namespace heed {
namespace {

constexpr ValidationMetric kMetrics[] = {
    {"bleu", true, &ValidationFigures::bleu, 2},
    {"cross_entropy", false, &ValidationFigures::cross_entropy, 4},
    {"perplexity", false, &ValidationFigures::perplexity, 3},
};

// `name` is empty or ends with a space.
std::string best_text(const BestValue& best, const ValidationMetric& metric,
                      const std::string& name) {
  if (!best.value) return fmt::format("no {}value yet", name);
  return fmt::format("best {}{} at update {}", name, format_fixed(*best.value, metric.decimals),
                     best.update);
}

}  // namespace

const ValidationMetric& find_validation_metric(const std::string& name) {
  std::string known;
  for (const ValidationMetric& metric : kMetrics) {
    if (name == metric.name) return metric;
    known += (known.empty() ? "" : ", ") + std::string(metric.name);
  }
  fail("train.metric: unknown metric '{}'; known: {}", name, known);
}

bool BestValue::offer(const ValidationMetric& metric, double offered, int64_t at_update) {
  const bool better = !std::isnan(offered) &&
                      (!value || (metric.higher_is_better ? offered > *value : offered < *value));
  if (!better) {
    ++not_better;
    return false;
  }
  *this = {offered, at_update, 0};
  return true;
}

std::string best_text(const BestValue& best, const ValidationMetric& metric) {
  return best_text(best, metric, "");
}

std::string best_text_with_name(const BestValue& best, const ValidationMetric& metric) {
  return best_text(best, metric, std::string(metric.name) + " ");
}

}  // namespace heed
