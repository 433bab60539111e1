// heed evaluate: BLEU, chrF or TER of a translation, or the alignment error rate of links.
#include <fmt/format.h>

#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "cli/evaluate_text.h"
#include "cli/options.h"
#include "eval/aer.h"
#include "eval/gold_links.h"
#include "eval/link_range.h"
#include "eval/metric.h"
#include "eval/tokenizers.h"

namespace heed::cli {
namespace {

using Json = nlohmann::ordered_json;

struct EvaluateOptions {
  TextEvaluation text;  // its source and json are those of links as well
  std::string links, gold, target, gold_format = "pharaoh", gold_base = "0";
};

void print(const std::string& text) { fmt::print("{}\n", text); }

struct RangeCounts {
  int64_t gold = 0;                // left out
  std::optional<int64_t> links{};  // wrong ones; not known without the text
};

// Removes gold links outside of their sentences; counts these and those of `links` for the report.
RangeCounts check_ranges(const EvaluateOptions& options, const std::vector<Links>& links,
                         GoldFile& gold) {
  RangeCounts counts{gold.dropped};
  if (gold.dropped > 0) {
    spdlog::warn(
        "{}: {} links before the first token are left out; with tokens counted from 0 use "
        "--gold-base 0",
        options.gold, gold.dropped);
  }
  if (options.text.source.empty()) return counts;
  const auto lengths = read_lengths(options.text.source, options.target, std::ssize(links));
  const int64_t beyond = drop_beyond(gold.sentences, lengths);
  counts.gold += beyond;
  counts.links = count_beyond(links, lengths);
  if (beyond > 0) {
    spdlog::warn("{}: {} links beyond the end of their sentence are left out{}", options.gold,
                 beyond,
                 options.gold_base == "0" ? "; with tokens counted from 1 use --gold-base 1" : "");
  }
  if (*counts.links > 0) {
    spdlog::warn("{}: {} links beyond the end of their sentence count as wrong", options.links,
                 *counts.links);
  }
  return counts;
}

void evaluate_links(const EvaluateOptions& options) {
  const auto links = read_links(options.links);
  auto gold = read_gold(options.gold, options.gold_format, options.gold_base == "1" ? 1 : 0,
                        std::ssize(links));
  const RangeCounts out_of_range = check_ranges(options, links, gold);
  const AlignmentScore score = score_alignment(links, gold.sentences);
  const std::string signature = fmt::format("gold:{}|base:{}|version:heed-{}", options.gold_format,
                                            options.gold_base, HEED_VERSION);
  if (!options.text.json) {
    spdlog::info("AER|{}", signature);
    print(aer_line(score));
    return;
  }
  Json json = {{"metric", "AER"},
               {"signature", signature},
               {"aer", score.aer()},
               {"precision", score.precision()},
               {"recall", score.recall()},
               {"f1", score.f1()},
               {"links", score.links},
               {"sure", score.sure},
               {"possible", score.possible},
               {"matched_sure", score.matched_sure},
               {"matched_possible", score.matched_possible},
               {"gold_out_of_range", out_of_range.gold}};
  if (out_of_range.links) json["links_out_of_range"] = *out_of_range.links;
  print(json.dump(2));
}

std::string metric_help() {
  std::string help = "what to compute, names between commas:";
  for (const auto& metric : text_metrics()) {
    help += fmt::format("{} {} ({})", &metric == &text_metrics().front() ? "" : ";", metric.name,
                        metric.summary);
  }
  return help;
}

void add_text_options(Options& options, TextEvaluation& text) {
  std::vector<std::string> tokenizers;
  std::string tokenize_help = "how BLEU finds words:";
  for (const auto& tokenizer : metric_tokenizers()) {
    tokenizers.emplace_back(tokenizer.name);
    tokenize_help += fmt::format("{} {} ({})", tokenizers.size() > 1 ? ";" : "", tokenizer.name,
                                 tokenizer.summary);
  }
  options.text("hypothesis", text.hypothesis, "translation to score, one sentence per line")
      .list("reference", text.references, "reference translations, each a file with as many lines")
      .text("metric", text.metric_list, metric_help())
      .choice("tokenize", text.options.tokenize, tokenizers, tokenize_help)
      .flag("lowercase", text.options.lowercase,
            "compare without regard to case (TER never regards it)")
      .flag("sentence-level", text.sentence_level,
            "one score per line; BLEU then leaves out orders longer than the sentence")
      .flag("by-length", text.by_length, "also for each range of sentence lengths");
  text.word_reports.declare(options);
  options
      .text(
          "source", text.source,
          "source text: its lengths then count for --by-length, and --diagnose finds copies of it; "
          "with --links, the text that was aligned")
      .text("baseline", text.baseline, "second translation to compare with: difference and p")
      .choice("significance", text.significance, {"bootstrap", "randomization"},
              "paired test for --baseline: bootstrap (Koehn 2004), with intervals of 95 %; "
              "randomization (Riezler and Maxwell 2005); p as sacreBLEU defines it")
      .integer("resamples", text.resamples, schema::at_least(1),
               fmt::format("for --baseline (default: {}, or {} with randomization)",
                           kBootstrapResamples, kRandomizationResamples))
      .integer("seed", text.seed, schema::at_least(0), "seed of the resamples");
}

// Throws UsageError for an option that the kind of evaluation has no use for.
void check_kinds(const Options& options, bool text) {
  const auto refuse = [&options](std::initializer_list<const char*> names, const char* why) {
    for (const char* name : names)
      if (options.given(name)) throw UsageError(fmt::format("--{} is for --{}", name, why));
  };
  if (!options.given("baseline")) refuse({"significance", "resamples", "seed"}, "baseline");
  if (text) {
    refuse({"target", "gold-format", "gold-base"}, "links");
    return;
  }
  refuse({"metric", "tokenize", "lowercase", "sentence-level", "by-length", "by-frequency",
          "training", "by-position", "diagnose", "baseline"},
         "hypothesis");
  if (options.given("source") != options.given("target"))
    throw UsageError("--links takes both --source and --target, or neither");
}

bool parse(const Arguments& arguments, EvaluateOptions& chosen) {
  Options options(
      "heed evaluate --hypothesis H --reference R... | heed evaluate --links L --gold G",
      "Prints BLEU, chrF or TER of a translation, equal to sacreBLEU's, its difference from a "
      "second translation with a significance test, or the alignment error rate of word links "
      "against gold links with precision and recall. Reports (--by-length, --by-frequency, "
      "--by-position) can be drawn: give heed plot what --json printed.");
  add_text_options(options, chosen.text);
  options.text("links", chosen.links, "word links to score: i-j, source-target, counted from 0")
      .text("target", chosen.target,
            "with --source, the text that was aligned: reports links beyond the end of a sentence")
      .text("gold", chosen.gold, "gold links of the same sentences")
      .choice("gold-format", chosen.gold_format, {"pharaoh", "naacl"},
              "pharaoh: 3-4 sure, 3p4 or 3?4 possible; naacl: sentence i j [S|P]")
      .choice("gold-base", chosen.gold_base, {"0", "1"}, "number of the first token in the gold")
      .flag("json", chosen.text.json,
            "print JSON; a list if there is more than one metric or report");
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
  if (text) chosen_metrics(chosen.text);
  check_kinds(options, text);
  return true;
}

}  // namespace

int run_evaluate(const Arguments& arguments) {
  EvaluateOptions options;
  if (!parse(arguments, options)) return 0;
  if (options.links.empty()) {
    evaluate_text(options.text);
  } else {
    evaluate_links(options);
  }
  return 0;
}

}  // namespace heed::cli
