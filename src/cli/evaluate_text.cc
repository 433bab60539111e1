#include "cli/evaluate_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/log.h"
#include "eval/by_length.h"
#include "eval/inputs.h"
#include "eval/significance.h"
#include "eval/tokenizers.h"

namespace heed::cli {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

void print(const std::string& text) { fmt::print("{}\n", text); }

struct Texts {
  Lines hypothesis, baseline, source;  // empty if not given
  std::vector<Lines> references;

  const Lines& lengths_of() const { return source.empty() ? references[0] : source; }
};

Texts read_texts(const TextEvaluation& chosen, bool needs_spaces) {
  std::vector<TextInput> inputs = {read_text(chosen.hypothesis)};
  for (const auto& path : chosen.references) inputs.push_back(read_text(path));
  if (!chosen.baseline.empty()) inputs.push_back(read_text(chosen.baseline));
  const size_t translations = inputs.size();
  if (!chosen.source.empty()) inputs.push_back(read_text(chosen.source));
  check_line_counts(inputs);
  if (inputs[0].lines.empty()) fail("{} is empty: there is nothing to score", inputs[0].path);
  for (size_t i = 0; i < translations; ++i) {  // the source may be in pieces
    for (const auto& doubt : doubts_about(inputs[i], needs_spaces)) spdlog::warn("{}", doubt);
  }
  Texts texts;
  texts.hypothesis = inputs[0].lines;
  for (size_t r = 1; r <= chosen.references.size(); ++r) {
    texts.references.push_back(inputs[r].lines);
  }
  if (!chosen.baseline.empty()) texts.baseline = inputs[translations - 1].lines;
  if (!chosen.source.empty()) texts.source = inputs.back().lines;
  return texts;
}

// What one metric has to say.
struct Result {
  const TextMetric* metric;
  std::string signature, length_signature;
  std::vector<Statistics> sentences;
  std::vector<LengthBucket> buckets;
  std::optional<Comparison> comparison;
};

PairedTest paired_test(const TextEvaluation& chosen) {
  const bool bootstrap = chosen.significance == "bootstrap";
  PairedTest test;
  test.kind = bootstrap ? PairedTest::Kind::bootstrap : PairedTest::Kind::randomization;
  test.resamples =
      chosen.resamples.value_or(bootstrap ? kBootstrapResamples : kRandomizationResamples);
  test.seed = static_cast<uint64_t>(chosen.seed);
  return test;
}

Result compute(const TextMetric& metric, const Texts& texts, const TextEvaluation& chosen) {
  Result result;
  result.metric = &metric;
  result.signature = metric.signature(chosen.options, texts.references.size());
  result.sentences =
      sentence_statistics(metric, texts.hypothesis, texts.references, chosen.options);
  if (chosen.by_length) {
    result.length_signature = length_signature(
        result.signature, texts.source.empty() ? "reference" : "source", chosen.options);
    result.buckets = sums_by_length(metric, result.sentences, texts.lengths_of(), chosen.options);
  }
  if (!chosen.baseline.empty()) {
    const auto baseline =
        sentence_statistics(metric, texts.baseline, texts.references, chosen.options);
    result.comparison =
        compare_systems(metric, result.sentences, baseline, chosen.options, paired_test(chosen));
    if (result.comparison->difference() == 0) {
      spdlog::warn("{}: the two translations have the same score, so that p says nothing",
                   metric.title);
    }
  }
  return result;
}

Json json_of(const Interval& interval) { return {interval.low, interval.high}; }

Json json_of(const Comparison& comparison, const TextEvaluation& chosen) {
  const PairedTest test = paired_test(chosen);
  Json json = {{"score", comparison.baseline},
               {"difference", comparison.difference()},
               {"p", comparison.p},
               {"significance", chosen.significance},
               {"resamples", test.resamples},
               {"seed", test.seed}};
  if (comparison.difference_interval) {
    json["interval"] = json_of(*comparison.system_interval);
    json["baseline_interval"] = json_of(*comparison.baseline_interval);
    json["difference_interval"] = json_of(*comparison.difference_interval);
  }
  return json;
}

Json json_of(const Result& result, const TextEvaluation& chosen) {
  const TextMetric& metric = *result.metric;
  Json json = {{"metric", metric.title}, {"signature", result.signature}};
  if (chosen.sentence_level) {
    for (const auto& sentence : result.sentences) {
      json["sentences"].push_back(metric.score(sentence, chosen.options));
    }
    return json;
  }
  json.update(metric.figures(sum_of(metric, result.sentences), chosen.options));
  if (chosen.by_length) {
    json["by_length_signature"] = result.length_signature;
    json["by_length_of"] = chosen.source.empty() ? "reference" : "source";
  }
  for (const auto& bucket : result.buckets) {
    Json entry = {{"length", bucket.name()}, {"sentences", bucket.sentences}};
    entry.update(metric.figures(bucket.sum, chosen.options));
    json["by_length"].push_back(entry);
  }
  if (result.comparison) json["baseline"] = json_of(*result.comparison, chosen);
  return json;
}

std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format(" [{:.2f}, {:.2f}]", interval->low, interval->high) : "";
}

void print_comparison(const Comparison& c, const TextMetric& metric, const TextEvaluation& chosen) {
  print(fmt::format("{} system   = {:.2f}{}", metric.title, c.system,
                    interval_text(c.system_interval)));
  print(fmt::format("{} baseline = {:.2f}{}", metric.title, c.baseline,
                    interval_text(c.baseline_interval)));
  const PairedTest test = paired_test(chosen);
  print(fmt::format(
      "{} difference = {:+.2f}{} ({} is better) p = {:.4f} ({}, resamples = {} seed = {})",
      metric.title, c.difference(), interval_text(c.difference_interval),
      metric.higher_is_better ? "higher" : "lower", c.p, chosen.significance, test.resamples,
      test.seed));
}

void print_buckets(const Result& result, const TextEvaluation& chosen) {
  const TextMetric& metric = *result.metric;
  const std::string of = chosen.source.empty() ? "reference length" : "source length";
  print(fmt::format("{} by length|{}", metric.title, result.length_signature));
  print(fmt::format("{:>16}  {:>9}  {:>7}  {}", of, "sentences", metric.title, "details"));
  for (const auto& bucket : result.buckets) {
    print(fmt::format("{:>16}  {:>9}  {:>7.2f}  {}", bucket.name(), bucket.sentences,
                      metric.score(bucket.sum, chosen.options),
                      metric.details(bucket.sum, chosen.options)));
  }
}

void print_result(const Result& result, const TextEvaluation& chosen) {
  const TextMetric& metric = *result.metric;
  if (chosen.sentence_level) {
    spdlog::info("{}|{}", metric.title, result.signature);
    for (const auto& sentence : result.sentences) {
      print(fmt::format("{:.4f}", metric.score(sentence, chosen.options)));
    }
    return;
  }
  print(metric_line(metric, sum_of(metric, result.sentences), result.signature, chosen.options));
  if (chosen.by_length) print_buckets(result, chosen);
  if (result.comparison) print_comparison(*result.comparison, metric, chosen);
}

}  // namespace

std::vector<const TextMetric*> chosen_metrics(const TextEvaluation& chosen) {
  std::vector<const TextMetric*> found;
  std::istringstream names(chosen.metric_list);
  for (std::string name; std::getline(names, name, ',');) {
    const TextMetric* row = nullptr;
    try {
      row = &find_text_metric(name);
    } catch (const UserError& error) {
      throw UsageError(fmt::format("--metric: {}", error.what()));
    }
    if (std::find(found.begin(), found.end(), row) != found.end()) {
      throw UsageError(fmt::format("--metric: {} is given twice", name));
    }
    found.push_back(row);
  }
  if (found.empty()) throw UsageError("--metric: give one of " + text_metric_names());
  if (chosen.sentence_level) {
    if (found.size() > 1) throw UsageError("--sentence-level takes one metric");
    if (chosen.by_length || !chosen.baseline.empty() || chosen.word_reports.wanted()) {
      throw UsageError("--sentence-level goes with neither reports nor --baseline");
    }
  }
  chosen.word_reports.check();
  return found;
}

void evaluate_text(TextEvaluation chosen) {
  const auto table = chosen_metrics(chosen);
  chosen.options.effective_order = chosen.sentence_level;
  const bool finds_words = chosen.word_reports.wanted() ||
                           std::any_of(table.begin(), table.end(), [](const TextMetric* metric) {
                             return metric->uses_tokenizer;
                           });
  const Texts texts =
      read_texts(chosen, finds_words && metric_tokenizer(chosen.options.tokenize).needs_spaces);
  std::vector<Result> results;
  for (const TextMetric* metric : table) results.push_back(compute(*metric, texts, chosen));
  const auto reports = word_reports(
      chosen.word_reports, {texts.hypothesis, texts.references, texts.source}, chosen.options);
  if (!chosen.json) {
    for (const auto& result : results) print_result(result, chosen);
    for (const auto& report : reports) print(report.text);
    return;
  }
  Json list = Json::array();
  for (const auto& result : results) list.push_back(json_of(result, chosen));
  for (const auto& report : reports) list.push_back(report.json);
  print((list.size() == 1 ? list[0] : list).dump(2));
}

}  // namespace heed::cli
