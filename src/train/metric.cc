#include "train/metric.h"

#include <cmath>

#include "base/error.h"

namespace heed {
namespace {

constexpr Metric kMetrics[] = {
    {"bleu", true, &ValidationFigures::bleu, 2},
    {"cross_entropy", false, &ValidationFigures::cross_entropy, 4},
    {"perplexity", false, &ValidationFigures::perplexity, 3},
};

}  // namespace

const Metric& find_metric(const std::string& name) {
  std::string known;
  for (const Metric& metric : kMetrics) {
    if (name == metric.name) return metric;
    known += (known.empty() ? "" : ", ") + std::string(metric.name);
  }
  fail("train.metric: unknown metric '{}'; known: {}", name, known);
}

bool BestValue::offer(const Metric& metric, double offered, int64_t at_update) {
  const bool better = !std::isnan(offered) &&
                      (!value || (metric.higher_is_better ? offered > *value : offered < *value));
  if (!better) {
    ++not_better;
    return false;
  }
  *this = {offered, at_update, 0};
  return true;
}

}  // namespace heed
