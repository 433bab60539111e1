// heed explain: attention compared with what the probability of each target token depends on.
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>

#include "base/error.h"
#include "base/log.h"
#include "cli/decoding.h"
#include "cli/explain_summary.h"
#include "decode/explainer.h"

namespace heed::cli {
namespace {

struct ExplainChoice {
  ModelChoice model;
  TextFiles files;
  std::string output, methods = "attention,gradient,integrated,erasure", erase = "remove";
  int64_t steps = ExplainOptions().steps;
  KeyValues keys;
  bool words = false, json = false;
  bool methods_given = false;
};

void declare(Options& options, ExplainChoice& chosen) {
  chosen.model.declare(options);
  options.text("source", chosen.files.source, "source text, one sentence per line")
      .required("source")
      .text("target", chosen.files.target, "its translation, line by line")
      .required("target")
      .text(
          "output", chosen.output,
          "write the matrices of each pair as JSON Lines: id, source and target tokens with </s>, "
          "and for each method, under its name, a row per target token; all but attention are "
          "signed")
      .text("method", chosen.methods, "methods, separated by commas")
      .integer("steps", chosen.steps, schema::between(1, 10'000), "points of integrated gradients")
      .choice("erase", chosen.erase, {"remove", "zero"},
              "how erasure leaves out a source word: remove it from the sentence, or set its word "
              "vector to zero, which no model has seen in training")
      .flag("words", chosen.words,
            "words instead of subwords: columns are added up, rows averaged for attention and "
            "added up for the others; erasure leaves out whole words")
      .flag("json", chosen.json, "print the agreement of the methods as JSON")
      .decode_key("decode.batch_tokens", chosen.keys);
}

bool parse(const Arguments& arguments, ExplainChoice& chosen) {
  Options options(
      "heed explain --model M --source F --target F [--output E.jsonl] [--words] [--json]",
      "Compares the attention of given pairs with what the log-probability of each target token "
      "depends on:\n  attention    where the decoder looked\n  gradient     gradient x input of "
      "each source token (Denil et al. 2014)\n  integrated   integrated gradients from zero word "
      "vectors (Sundararajan et al. 2017); a row sums to log p minus that of the baseline, up to "
      "the printed error\n  erasure      how far log p falls without the source token (Li et al. "
      "2016)\nPrints the agreement of each two: Kendall's tau-b over the absolute values of the "
      "source tokens without </s>, averaged over target tokens and then over sentences; and how "
      "often the largest value is that of erasure. For integrated gradients also the mean error of "
      "the sums over a sentence, as a share of log p minus that of the baseline.");
  declare(options, chosen);
  if (!options.parse(arguments)) return false;
  chosen.methods_given = options.given("method");
  if (chosen.output == "-")
    throw UsageError(
        "--output - is not possible: standard output takes the agreement of the methods; name a "
        "file");
  if (chosen.model.precision == "int8")
    throw UsageError("--precision int8 is not possible: gradients need f32 or bf16");
  check_not_read({"--output", chosen.output}, {{"--source", chosen.files.source},
                                               {"--target", chosen.files.target},
                                               {"--model", chosen.model.model}});
  return true;
}

PerMethod<bool> parse_methods(const std::string& text) {
  PerMethod<bool> methods;
  std::vector<std::string> names;
  boost::split(names, text, boost::is_any_of(","));
  for (const std::string& name : names) {
    size_t i = 0;
    while (i < kMethods && name != method_name(static_cast<Method>(i))) ++i;
    if (i == kMethods)
      throw UsageError(fmt::format(
          "--method: '{}' is not one of: attention, gradient, integrated, erasure", name));
    methods[static_cast<Method>(i)] = true;
  }
  return methods;
}

ExplainOptions explain_options(const ExplainChoice& chosen) {
  ExplainOptions options;
  options.methods = parse_methods(chosen.methods);
  options.steps = chosen.steps;
  options.erase = chosen.erase == "remove" ? Erase::remove : Erase::zero;
  options.words = chosen.words;
  return options;
}

// What depends on the model: it may have no attention, and 8-bit products, which have no gradients.
void fit_to_model(const ExplainChoice& chosen, const LoadedModel& loaded, ExplainOptions& options) {
  options.batch_tokens = with_keys(loaded.config.decode, chosen.keys).batch_tokens;
  if (options.methods[Method::attention] && !loaded.model->has_attention()) {
    if (chosen.methods_given) require_attention(false, chosen.model.model, "--method attention");
    spdlog::info("{} has no attention: the other methods explain it", chosen.model.model);
    options.methods[Method::attention] = false;
  }
  ParameterStore& parameters = loaded.model->parameters();
  if (parameters.precision() != kernels::Precision::int8) return;
  spdlog::info("8-bit products have no gradients: computing in f32");
  parameters.set_precision(kernels::Precision::f32);
}

}  // namespace

int run_explain(const Arguments& arguments) {
  ExplainChoice chosen;
  if (!parse(arguments, chosen)) return 0;
  ExplainOptions options = explain_options(chosen);
  Output summary_output("-");
  std::unique_ptr<Output> output;
  if (!chosen.output.empty()) output = std::make_unique<Output>(chosen.output);
  const LoadedModel loaded = chosen.model.load();
  fit_to_model(chosen, loaded, options);

  const Direction direction = direction_of(loaded);
  Explainer explainer(*loaded.model, direction.source, direction.target, options);
  ExplainSummary summary(options);
  const ForcedCounts counts = force_lines(
      direction, chosen.files, {options.batch_tokens, options.methods[Method::attention]},
      [&](const ForcedLine& line) {
        const Explanation explanation = explainer.explain(line);
        summary.add(explanation);
        if (output) output->line(explanation_line(explanation));
      });
  if (output) output->commit();
  summary_output.line(chosen.json ? summary.json() : summary.table());
  summary_output.commit();
  spdlog::info("{}", counts.summary());
  return 0;
}

}  // namespace heed::cli
