// heed score: the log-probability of given pairs by a model or an ensemble, and their perplexity.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "base/numbers.h"
#include "cli/ensemble_choice.h"
#include "decode/forced.h"
#include "text/word_vocabulary.h"

namespace heed::cli {
namespace {

struct ScoreChoice {
  EnsembleChoice models;
  TextFiles files;
  std::string output = "-";
  KeyValues keys;
  bool summary = false, json = false, pieces = false;
};

bool parse(const Arguments& arguments, ScoreChoice& chosen) {
  Options options("heed score --model M... --source F --target F [--summary] [--json]",
                  "Prints the log-probability of each target line given its source line: natural "
                  "logarithm, </s> counted. A pair of two empty lines has 0 by definition. Several "
                  "models score as an ensemble.");
  chosen.models.declare(options);
  options.text("source", chosen.files.source, "source text, one sentence per line")
      .required("source")
      .text("target", chosen.files.target, "its translation, line by line")
      .required("target")
      .text("output", chosen.output, "where to write; - is standard output")
      .flag("summary", chosen.summary, "also print the perplexity of the text, to standard error")
      .flag("json", chosen.json, "print the summary alone, as JSON")
      .flag("pieces", chosen.pieces,
            "target lines are tokens of the vocabulary separated by spaces, without </s>, as in "
            "translate --format json: scores what a search found without tokenizing anew")
      .decode_key("decode.batch_tokens", chosen.keys);
  if (!options.parse(arguments)) return false;
  std::vector<NamedFile> read = {{"--source", chosen.files.source},
                                 {"--target", chosen.files.target}};
  for (const std::string& model : chosen.models.models) read.push_back({"--model", model});
  check_not_read({"--output", chosen.output}, read);
  return true;
}

// A word vocabulary whose words are the pieces, with the same ids: it splits lines of pieces.
std::shared_ptr<const Vocabulary> words_of_pieces(const Vocabulary& vocabulary) {
  std::vector<std::string> pieces;
  for (TokenId id = kEnd + 1; id < vocabulary.size(); ++id) pieces.push_back(vocabulary.piece(id));
  return std::make_shared<WordVocabulary>(std::move(pieces), false);
}

void require_pieces(const ForcedLine& line, const std::string& path, const Vocabulary& vocabulary) {
  const Tokens& tokens = line.target.tokens;
  for (size_t t = 0; t < tokens.ids.size(); ++t)
    if (tokens.ids[t] == kUnknown && tokens.pieces[t] != vocabulary.piece(kUnknown))
      fail(
          "{}:{}: '{}' is not a token of the target vocabulary: --pieces needs its tokens "
          "separated by spaces, without the final </s>",
          path, line.id + 1, tokens.pieces[t]);
}

// Figures of the whole text.
struct Totals {
  double log_probability = 0;
  int64_t tokens = 0;  // with </s>

  void add(const ForcedLine& line) {
    if (line.source.empty() && line.target.empty()) return;
    log_probability += line.hypothesis.log_probability;
    tokens += static_cast<int64_t>(line.hypothesis.ids.size()) + 1;
  }
  double cross_entropy() const {
    return tokens == 0 ? 0.0 : -log_probability / static_cast<double>(tokens);
  }
};

std::string summary_json(const Totals& totals, const ForcedCounts& counts) {
  const nlohmann::ordered_json json = {{"pairs", counts.pairs},
                                       {"target_tokens", totals.tokens},
                                       {"log_probability", totals.log_probability},
                                       {"cross_entropy", totals.cross_entropy()},
                                       {"perplexity", std::exp(totals.cross_entropy())}};
  return json.dump(2);
}

}  // namespace

int run_score(const Arguments& arguments) {
  ScoreChoice chosen;
  if (!parse(arguments, chosen)) return 0;
  Output output(chosen.output);
  const LoadedEnsemble loaded = chosen.models.load();
  const LoadedModel& first = loaded.first();
  const ForcedOptions options{with_keys(first.config.decode, chosen.keys).batch_tokens, false};
  const Vocabulary& vocabulary = *first.target_vocabulary;
  const auto pieces = chosen.pieces ? words_of_pieces(vocabulary) : first.target_vocabulary;
  const Direction direction{loaded.ensemble(), *first.source_vocabulary, *pieces};
  Totals totals;
  const auto sink = [&](const ForcedLine& line) {
    if (chosen.pieces) require_pieces(line, chosen.files.target, vocabulary);
    totals.add(line);
    if (!chosen.json) output.line(format_fixed(line.hypothesis.log_probability, 6));
  };
  const ForcedCounts counts = force_lines(direction, chosen.files, options, sink);
  if (chosen.json) output.line(summary_json(totals, counts));
  output.commit();
  spdlog::info("{}", counts.summary());
  if (chosen.summary)
    spdlog::info("{} target tokens with </s>, log-probability {}, cross-entropy {}, perplexity {}",
                 totals.tokens, format_fixed(totals.log_probability, 4),
                 format_fixed(totals.cross_entropy(), 4),
                 format_fixed(std::exp(totals.cross_entropy()), 2));
  return 0;
}

}  // namespace heed::cli
