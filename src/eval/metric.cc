#include "eval/metric.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/parallel.h"
#include "eval/bleu.h"
#include "eval/chrf.h"
#include "eval/ter.h"
#include "eval/tokenizers.h"

namespace heed {
namespace {

constexpr int64_t kGrain = 16;  // sentences

Statistics count_bleu_row(const std::string& hypothesis, const std::vector<std::string>& references,
                          const MetricOptions& options) {
  return bleu_statistics(count_bleu(hypothesis, references, options));
}

BleuScore bleu_of(const Statistics& sum, const MetricOptions& options) {
  return bleu_from_counts(bleu_counts(sum), options.effective_order);
}

nlohmann::ordered_json bleu_figures(const Statistics& sum, const MetricOptions& options) {
  const BleuScore score = bleu_of(sum, options);
  return {{"score", score.score},
          {"precisions", score.precisions},
          {"brevity_penalty", score.brevity_penalty},
          {"ratio", score.ratio()},
          {"hypothesis_length", score.counts.hypothesis_length},
          {"reference_length", score.counts.reference_length},
          {"matches", score.counts.matches},
          {"totals", score.counts.totals}};
}

TextMetric bleu_row() {
  return {
      "bleu",
      "BLEU",
      "n-grams of words",
      true,
      true,
      kBleuStatistics,
      count_bleu_row,
      [](const Statistics& sum, const MetricOptions& o) { return bleu_of(sum, o).score; },
      [](const Statistics& sum, const MetricOptions& o) { return bleu_details(bleu_of(sum, o)); },
      bleu_figures,
      bleu_signature};
}

// word_order is fixed for each row: 0 for chrF, 2 for chrF++.
template <size_t word_order>
TextMetric chrf_row(const char* name, const char* title, const char* summary) {
  return {name,
          title,
          summary,
          true,
          false,
          chrf_size(word_order),
          [](const std::string& hypothesis, const std::vector<std::string>& references,
             const MetricOptions& o) {
            return count_chrf(hypothesis, references, word_order, o.lowercase);
          },
          [](const Statistics& sum, const MetricOptions&) { return chrf_score(sum).f; },
          [](const Statistics& sum, const MetricOptions&) { return chrf_details(chrf_score(sum)); },
          [](const Statistics& sum, const MetricOptions&) -> nlohmann::ordered_json {
            const ChrfScore score = chrf_score(sum);
            return {{"score", score.f}, {"precision", score.precision}, {"recall", score.recall}};
          },
          [](const MetricOptions& o, size_t references) {
            return chrf_signature(references, word_order, o.lowercase);
          }};
}

TextMetric ter_row() {
  return {"ter",
          "TER",
          "edits and shifts of words; lower is better",
          false,
          false,
          2,
          [](const std::string& hypothesis, const std::vector<std::string>& references,
             const MetricOptions&) { return count_ter(hypothesis, references); },
          [](const Statistics& sum, const MetricOptions&) { return ter_score(sum); },
          [](const Statistics& sum, const MetricOptions&) { return ter_details(sum); },
          [](const Statistics& sum, const MetricOptions&) -> nlohmann::ordered_json {
            return {{"score", ter_score(sum)}, {"edits", sum[0]}, {"reference_length", sum[1]}};
          },
          [](const MetricOptions&, size_t references) { return ter_signature(references); }};
}

}  // namespace

const std::vector<TextMetric>& text_metrics() {
  static const std::vector<TextMetric> rows = {
      bleu_row(),
      chrf_row<0>("chrf", "chrF2", "n-grams of characters"),
      chrf_row<2>("chrf++", "chrF2++", "of characters and of words"),
      ter_row(),
  };
  return rows;
}

std::string text_metric_names() {
  std::string names;
  for (const auto& metric : text_metrics())
    names += (names.empty() ? "" : ", ") + std::string(metric.name);
  return names;
}

const TextMetric& find_text_metric(const std::string& name) {
  for (const auto& metric : text_metrics()) {
    if (name == metric.name) return metric;
  }
  fail("unknown metric '{}': there are {}", name, text_metric_names());
}

std::vector<Statistics> sentence_statistics(const TextMetric& metric,
                                            const std::vector<std::string>& hypotheses,
                                            const std::vector<std::vector<std::string>>& references,
                                            const MetricOptions& options) {
  check(!references.empty(), "[sentence_statistics] at least one reference. Received none");
  for (const auto& reference : references) {
    check(reference.size() == hypotheses.size(),
          "[sentence_statistics] a reference line for each hypothesis. Received {} and {}",
          reference.size(), hypotheses.size());
  }
  metric_tokenizer(options.tokenize);  // reports an unknown tokenizer even if there are no lines
  std::vector<Statistics> sentences(hypotheses.size());
  const auto count = static_cast<int64_t>(hypotheses.size());
  parallel_for(count, kGrain, [&](int64_t begin, int64_t end) {
    std::vector<std::string> of_line(references.size());
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      for (size_t r = 0; r < references.size(); ++r) of_line[r] = references[r][i];
      sentences[i] = metric.count(hypotheses[i], of_line, options);
    }
  });
  return sentences;
}

Statistics sum_of(const TextMetric& metric, const std::vector<Statistics>& sentences) {
  Statistics sum(metric.size, 0.0);
  for (const auto& sentence : sentences) {
    for (size_t s = 0; s < sum.size(); ++s) sum[s] += sentence[s];
  }
  return sum;
}

std::string metric_line(const TextMetric& metric, const Statistics& sum,
                        const std::string& signature, const MetricOptions& options) {
  return fmt::format("{}|{} = {:.2f} {}", metric.title, signature, metric.score(sum, options),
                     metric.details(sum, options));
}

}  // namespace heed
