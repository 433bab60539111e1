// The reports of heed evaluate that look at words and lines: by frequency in the training text, by
// position in the sentence, and what is wrong at first sight.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/options.h"
#include "eval/metric.h"

namespace heed::cli {

// --by-frequency, --training, --by-position, --diagnose.
struct WordReportChoice {
  std::vector<std::string> training;
  bool by_frequency = false, by_position = false, diagnose = false;

  void declare(Options& options);
  bool wanted() const { return by_frequency || by_position || diagnose; }
  // Throws UsageError for one of --by-frequency and --training without the other.
  void check() const;
};

// What the reports look at. As many references, and sources unless there are none, as hypotheses.
struct ReportedTexts {
  const std::vector<std::string>& hypotheses;
  const std::vector<std::vector<std::string>>& references;
  const std::vector<std::string>& sources;
};

struct Report {
  std::string text;             // a table, its title and signature on top
  nlohmann::ordered_json json;  // the same: "report", "signature" and figures
};

// The requested reports in the order of the options. Throws UserError as count_training_words does.
std::vector<Report> word_reports(const WordReportChoice& choice, const ReportedTexts& texts,
                                 const MetricOptions& options);

}  // namespace heed::cli
