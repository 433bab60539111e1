// heed evaluate: BLEU of a translation, or the alignment error rate of links.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "cli/options.h"
#include "eval/aer.h"
#include "eval/bleu.h"
#include "eval/by_length.h"
#include "eval/gold_links.h"
#include "eval/inputs.h"
#include "eval/tokenizers.h"

namespace heed::cli {
namespace {

using Json = nlohmann::ordered_json;

struct EvaluateOptions {
  std::string hypothesis, source, metric = "bleu", links, gold, gold_format = "pharaoh",
                                  gold_base = "0";
  std::vector<std::string> references;
  BleuOptions bleu;
  bool by_length = false;
  bool json = false;
};

void print(const std::string& text) { fmt::print("{}\n", text); }

Json bleu_json(const BleuScore& score) {
  return {{"score", score.score},
          {"precisions", score.precisions},
          {"brevity_penalty", score.brevity_penalty},
          {"ratio", score.ratio()},
          {"hypothesis_length", score.counts.hypothesis_length},
          {"reference_length", score.counts.reference_length},
          {"matches", score.counts.matches},
          {"totals", score.counts.totals}};
}

void print_bleu_json(const BleuScore& score, const std::string& signature,
                     const std::vector<LengthBucket>& buckets) {
  Json json = {{"metric", "BLEU"}, {"signature", signature}};
  json.update(bleu_json(score));
  for (const auto& bucket : buckets) {
    Json entry = {{"length", bucket.name()}, {"sentences", bucket.sentences}};
    entry.update(bleu_json(bucket.bleu));
    json["by_length"].push_back(entry);
  }
  print(json.dump(2));
}

void print_buckets(const std::vector<LengthBucket>& buckets, const std::string& of) {
  print(fmt::format("{:>16}  {:>9}  {:>6}  {}", of + " length", "sentences", "BLEU", "details"));
  for (const auto& bucket : buckets) {
    print(fmt::format("{:>16}  {:>9}  {:>6.2f}  {}", bucket.name(), bucket.sentences,
                      bucket.bleu.score, bleu_details(bucket.bleu)));
  }
}

void evaluate_translation(const EvaluateOptions& options) {
  std::vector<TextInput> inputs = {read_text(options.hypothesis)};
  for (const auto& path : options.references) inputs.push_back(read_text(path));
  if (!options.source.empty()) inputs.push_back(read_text(options.source));
  check_line_counts(inputs);
  if (inputs[0].lines.empty()) fail("{} is empty: there is nothing to score", inputs[0].path);
  const bool needs_spaces = metric_tokenizer(options.bleu.tokenize).needs_spaces;
  for (size_t i = 0; i <= options.references.size(); ++i) {  // the source may be in pieces
    for (const auto& doubt : doubts_about(inputs[i], needs_spaces)) spdlog::warn("{}", doubt);
  }

  std::vector<std::vector<std::string>> references;
  for (size_t r = 0; r < options.references.size(); ++r) references.push_back(inputs[r + 1].lines);
  const auto& hypotheses = inputs[0].lines;
  const BleuScore score = corpus_bleu(hypotheses, references, options.bleu);
  const std::string signature = bleu_signature(options.bleu, references.size());
  std::vector<LengthBucket> buckets;
  if (options.by_length) {
    const auto& lengths_of = options.source.empty() ? references[0] : inputs.back().lines;
    buckets = bleu_by_length(hypotheses, references, lengths_of, options.bleu);
  }
  if (options.json) {
    print_bleu_json(score, signature, buckets);
    return;
  }
  print(bleu_line(score, signature));
  if (options.by_length) print_buckets(buckets, options.source.empty() ? "reference" : "source");
}

void evaluate_links(const EvaluateOptions& options) {
  const auto links = read_links(options.links);
  const auto gold = read_gold(options.gold, options.gold_format, options.gold_base == "1" ? 1 : 0,
                              static_cast<int64_t>(links.size()));
  if (gold.dropped > 0) {
    spdlog::warn(
        "{}: {} links before the first token are left out; with tokens counted from 0 use "
        "--gold-base 0",
        options.gold, gold.dropped);
  }
  const AlignmentScore score = score_alignment(links, gold.sentences);
  if (!options.json) {
    print(aer_line(score));
    return;
  }
  const Json json = {{"metric", "AER"},
                     {"aer", score.aer()},
                     {"precision", score.precision()},
                     {"recall", score.recall()},
                     {"f1", score.f1()},
                     {"links", score.links},
                     {"sure", score.sure},
                     {"possible", score.possible},
                     {"matched_sure", score.matched_sure},
                     {"matched_possible", score.matched_possible}};
  print(json.dump(2));
}

bool parse(const Arguments& arguments, EvaluateOptions& chosen) {
  std::vector<std::string> tokenizers;
  std::string tokenize_help = "how BLEU finds words:";
  for (const auto& tokenizer : metric_tokenizers()) {
    tokenizers.emplace_back(tokenizer.name);
    tokenize_help += fmt::format("{} {} ({})", tokenizers.size() > 1 ? ";" : "", tokenizer.name,
                                 tokenizer.summary);
  }
  Options options(
      "heed evaluate --hypothesis H --reference R... | heed evaluate --links L --gold G",
      "Prints corpus BLEU of a translation, equal to sacreBLEU's, or the alignment error rate of "
      "word links against gold links with precision and recall.");
  options.text("hypothesis", chosen.hypothesis, "translation to score, one sentence a line")
      .list("reference", chosen.references,
            "reference translations, each a file with as many lines")
      .choice("metric", chosen.metric, {"bleu"}, "what to compute")
      .choice("tokenize", chosen.bleu.tokenize, tokenizers, tokenize_help)
      .flag("lowercase", chosen.bleu.lowercase, "compare without regard to case")
      .flag("by-length", chosen.by_length, "also for each range of sentence lengths")
      .text("source", chosen.source, "source text; its lengths then count for --by-length")
      .text("links", chosen.links, "word links to score: i-j, source-target, counted from 0")
      .text("gold", chosen.gold, "gold links of the same sentences")
      .choice("gold-format", chosen.gold_format, {"pharaoh", "naacl"},
              "pharaoh: 3-4 sure, 3p4 or 3?4 possible; naacl: sentence i j [S|P]")
      .choice("gold-base", chosen.gold_base, {"0", "1"}, "number of the first token in the gold")
      .flag("json", chosen.json, "print JSON");
  if (!options.parse(arguments)) return false;

  const bool text = options.given("hypothesis") || options.given("reference");
  const bool links = options.given("links") || options.given("gold");
  if (text == links) {
    throw UsageError("give either --hypothesis and --reference, or --links and --gold");
  }
  const auto need = [&options](const char* name) {
    if (!options.given(name)) throw UsageError(fmt::format("--{} is required", name));
  };
  need(text ? "hypothesis" : "links");
  need(text ? "reference" : "gold");
  return true;
}

}  // namespace

int run_evaluate(const Arguments& arguments) {
  EvaluateOptions options;
  if (!parse(arguments, options)) return 0;
  if (options.links.empty()) {
    evaluate_translation(options);
  } else {
    evaluate_links(options);
  }
  return 0;
}

}  // namespace heed::cli
