// What all metrics of a translation have in common: each sentence gives statistics, statistics add
// up over sentences, and a score is computed from a sum. So a corpus, one sentence, the sentences
// of a length and a resample of a corpus are all scored in the same way, and no text is read twice.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace heed {

struct MetricOptions {
  std::string tokenize = "13a";  // BLEU: a name in eval/tokenizers.h
  bool lowercase = false;        // BLEU and chrF; TER has no regard to case anyway
  // BLEU: orders of n-grams longer than the text are left out, else it scores 0. For single
  // sentences.
  bool effective_order = false;
};

using Statistics = std::vector<double>;  // of one metric always of the same size

struct TextMetric {
  const char* name;       // for --metric: "chrf++"
  const char* title;      // in a line of results: "chrF2++"
  const char* summary;    // for help
  bool higher_is_better;  // else lower is
  bool uses_tokenizer;    // MetricOptions::tokenize counts
  size_t size;            // of its statistics

  // One sentence against its references (at least one; lines without line feeds).
  Statistics (*count)(const std::string& hypothesis, const std::vector<std::string>& references,
                      const MetricOptions& options);
  // From a sum of statistics, 0 to 100 (TER: 0 and up).
  double (*score)(const Statistics& sum, const MetricOptions& options);
  std::string (*details)(const Statistics& sum, const MetricOptions& options);  // for people
  nlohmann::ordered_json (*figures)(const Statistics& sum, const MetricOptions& options);
  // All that the figure depends on, in sacreBLEU's form: "nrefs:1|case:lc|...|version:heed-0.1.0".
  std::string (*signature)(const MetricOptions& options, size_t references);
};

// The table: a new metric is a file with these functions and one row here.
const std::vector<TextMetric>& text_metrics();

// Throws UserError, naming those that exist, for a name that isn't in the table.
const TextMetric& find_text_metric(const std::string& name);

// "bleu, chrf, chrf++, ter".
std::string text_metric_names();

// The statistics of each sentence; references[r][i] is reference r of hypotheses[i]. Throws
// UserError for an unknown tokenizer, InternalError where the line counts differ or there is no
// reference.
std::vector<Statistics> sentence_statistics(const TextMetric& metric,
                                            const std::vector<std::string>& hypotheses,
                                            const std::vector<std::vector<std::string>>& references,
                                            const MetricOptions& options);

Statistics sum_of(const TextMetric& metric, const std::vector<Statistics>& sentences);

// "chrF2|SIGNATURE = 36.00 DETAILS".
std::string metric_line(const TextMetric& metric, const Statistics& sum,
                        const std::string& signature, const MetricOptions& options);

}  // namespace heed
