// How the methods of heed explain agree over a text, and how exact integrated gradients are, for
// people and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decode/explainer.h"
#include "eval/agreement.h"

namespace heed::cli {

class ExplainSummary {
 public:
  explicit ExplainSummary(const ExplainOptions& options);
  void add(const Explanation& explanation);
  std::string table() const;  // without a line feed at the end
  std::string json() const;

 private:
  std::optional<double> incompleteness() const;
  const char* name(size_t method) const { return method_name(methods_[method]); }

  ExplainOptions options_;
  std::vector<Method> methods_;  // those asked for, in the order of their numbers in agreement_
  Agreement agreement_;
  double incompleteness_ = 0;   // |sum - gain| / |gain| of integrated gradients, added up over
  int64_t complete_pairs_ = 0;  // these pairs: those whose gain isn't zero
  int64_t pairs_ = 0;
};

}  // namespace heed::cli
