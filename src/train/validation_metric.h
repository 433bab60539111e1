// The figures of a validation, and which of them decides about the best model, the decay on a
// plateau and early stopping.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace heed {

// What one validation found; a figure that was not computed is NaN.
struct ValidationFigures {
  // Mean per target token (</s> counted), natural logarithm.
  double cross_entropy = std::numeric_limits<double>::quiet_NaN();
  double perplexity = std::numeric_limits<double>::quiet_NaN();
  double bleu = std::numeric_limits<double>::quiet_NaN();  // 0 to 100
};

struct ValidationMetric {
  const char* name;
  bool higher_is_better;
  double ValidationFigures::*value;
  int decimals;  // in messages
};

// Throws UserError "train.metric: unknown ... ; known: ...".
const ValidationMetric& find_validation_metric(const std::string& name);

// The best value so far, and how many validations in a row were not better.
struct BestValue {
  std::optional<double> value;
  int64_t update = 0;  // where it was found
  int64_t not_better = 0;

  // Takes the value of a further validation; true if it is strictly better than all before.
  // NaN never is.
  bool offer(const ValidationMetric& metric, double offered, int64_t at_update);
  bool operator==(const BestValue&) const = default;
};

// "best 21.30 at update 4000", or "no value yet".
std::string best_text(const BestValue& best, const ValidationMetric& metric);
// "best bleu 21.30 at update 4000", or "no bleu value yet".
std::string best_text_with_name(const BestValue& best, const ValidationMetric& metric);

}  // namespace heed
