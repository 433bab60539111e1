// The common interface of all translation metrics. Each sentence gives statistics, statistics are
// summed over sentences, and a score is computed from a sum. A corpus, one sentence, the sentences
// of one length and a resample of a corpus are therefore all scored in the same way, and every text
// is read only once.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "eval/metric_options.h"

namespace heed {

struct TextMetric {
  const char* name;       // for --metric: "chrf++"
  const char* title;      // for lines of results: "chrF2++"
  const char* summary;    // for help
  bool higher_is_better;  // else lower is
  bool uses_tokenizer;    // MetricOptions::tokenize has an effect
  size_t size;            // number of its statistics

  // The statistics of one sentence against its references (at least one; lines without line feeds).
  Statistics (*count)(const std::string& hypothesis, const std::vector<std::string>& references,
                      const MetricOptions& options);
  // The score of summed statistics, 0 to 100 (TER: 0 and up).
  double (*score)(const Statistics& sum, const MetricOptions& options);
  std::string (*details)(const Statistics& sum, const MetricOptions& options);  // for people
  nlohmann::ordered_json (*figures)(const Statistics& sum, const MetricOptions& options);
  // Everything that the score depends on, in the form of
  // sacreBLEU's signatures: "nrefs:1|case:lc|...|version:heed-0.1.0".
  std::string (*signature)(const MetricOptions& options, size_t references);
};

// All metrics. A new metric is a file with these functions and one row in this table.
const std::vector<TextMetric>& text_metrics();

// Throws UserError, which lists the names, if `name` is not in the table.
const TextMetric& find_text_metric(const std::string& name);

// "bleu, chrf, chrf++, ter".
std::string text_metric_names();

// The statistics of each sentence; references[r][i] is reference r of hypotheses[i]. Throws
// UserError for an unknown tokenizer, InternalError if the line counts differ or there
// is no reference.
std::vector<Statistics> sentence_statistics(const TextMetric& metric,
                                            const std::vector<std::string>& hypotheses,
                                            const std::vector<std::vector<std::string>>& references,
                                            const MetricOptions& options);

Statistics sum_of(const TextMetric& metric, const std::vector<Statistics>& sentences);

// "chrF2|SIGNATURE = 36.00 DETAILS".
std::string metric_line(const TextMetric& metric, const Statistics& sum,
                        const std::string& signature, const MetricOptions& options);

}  // namespace heed
