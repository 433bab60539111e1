// What heed evaluate does with a translation: scores by metric, of sentences, by length, and
// against a second translation; reports on words and lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/word_reports.h"
#include "eval/metric.h"

namespace heed::cli {

inline constexpr int64_t kBootstrapResamples = 1000;
inline constexpr int64_t kRandomizationResamples = 10000;

struct TextEvaluation {
  std::string hypothesis, source, baseline;
  std::vector<std::string> references;
  std::string metric_list = "bleu";  // names between commas
  MetricOptions options;
  bool sentence_level = false;
  bool by_length = false;
  WordReportChoice word_reports;
  bool json = false;
  std::string significance = "bootstrap";  // or "randomization"
  std::optional<int64_t> resamples;        // empty: by the kind of test
  int64_t seed = 1;
};

// Throws UsageError for an unknown name, a metric given twice, and options that exclude each other.
std::vector<const TextMetric*> chosen_metrics(const TextEvaluation& chosen);

// Prints the results. Throws UserError as read_text and check_line_counts do.
void evaluate_text(TextEvaluation chosen);

}  // namespace heed::cli
