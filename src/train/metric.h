// Which validation figure decides about the best model, the decay on a plateau and early stopping.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace heed {

// What one validation found; a figure that was not computed is NaN.
struct ValidationFigures {
  double cross_entropy =
      std::numeric_limits<double>::quiet_NaN();  // a target token, natural log, incl. </s>
  double perplexity = std::numeric_limits<double>::quiet_NaN();
  double bleu = std::numeric_limits<double>::quiet_NaN();  // 0 to 100
};

struct Metric {
  const char* name;
  bool higher_is_better;
  double ValidationFigures::*value;
  int decimals;  // shown to people
};

// Throws UserError "train.metric: unknown ... ; known: ...".
const Metric& find_metric(const std::string& name);

// The best value so far and how many validations in a row did not beat it.
struct BestValue {
  std::optional<double> value;
  int64_t update = 0;  // where it was found
  int64_t not_better = 0;

  // Takes the value of a further validation; true if it is strictly better than all before. NaN
  // never is.
  bool offer(const Metric& metric, double offered, int64_t at_update);
  bool operator==(const BestValue&) const = default;
};

}  // namespace heed
