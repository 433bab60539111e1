// heed translate: lines of text in, lines of text out, in the same order.
#include "decode/translate.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/numbers.h"
#include "cli/ensemble_choice.h"
#include "cli/search_choice.h"
#include "cli/shortlist_choice.h"
#include "cli/translation_writer.h"

namespace heed::cli {
namespace {

struct TranslateChoice {
  EnsembleChoice models;
  SearchChoice search;
  OutputChoice output;
  ShortlistChoice shortlist;
  std::string input = "-", prefix;
  bool interactive = false;
};

bool parse(const Arguments& arguments, TranslateChoice& chosen) {
  Options options("heed translate --model M [--input F|-] [--output F|-]",
                  "Translates each line of the input and writes one line for it, in the same "
                  "order; empty lines stay empty. A score is log p / penalty + word reward * "
                  "length + coverage penalty * coverage; log p is the natural logarithm of the "
                  "probability, length the number of tokens, both with </s>.");
  chosen.models.declare(options);
  options.text("input", chosen.input, "text to translate, plain or gzip; - is standard input");
  chosen.output.declare(options);
  chosen.search.declare(options);
  options
      .text("prefix", chosen.prefix,
            "file with a line per input line, with which its translation begins")
      .flag("interactive", chosen.interactive,
            "translate and write each line before the next one is read");
  chosen.shortlist.declare(options);
  if (!options.parse(arguments)) return false;
  std::vector<NamedFile> read = {{"--input", chosen.input},
                                 {"--shortlist", chosen.shortlist.path},
                                 {"--prefix", chosen.prefix}};
  for (const std::string& model : chosen.models.models) read.push_back({"--model", model});
  chosen.output.check(chosen.search.nbest.has_value(), read);
  chosen.search.check(options);
  chosen.shortlist.check(options, chosen.input);
  if (chosen.prefix == "-" && chosen.input == "-")
    throw UsageError("--prefix and --input are both standard input: give one of them a file");
  return true;
}

// What each translation begins with: a file with a line for each line of the input.
class Prefixes {
 public:
  Prefixes(const std::string& path, const Vocabulary& target) : lines_(path), target_(target) {}

  std::vector<TokenId> next() {
    std::string line;
    if (!lines_.next(line))
      fail("{}: it ends after {} lines, but the input has more: both need the same number of lines",
           lines_.path(), lines_.line_number());
    std::vector<TokenId> ids = target_.encode(line);
    if (const auto count = std::count(ids.begin(), ids.end(), kUnknown); count > 0) {
      if (unknown_ == 0) first_unknown_ = lines_.line_number();
      unknown_ += count;
    }
    return ids;
  }
  // Also warns of tokens of the prefixes that the vocabulary lacks.
  void check_end() {
    const int64_t read = lines_.line_number();
    if (unknown_ > 0)
      spdlog::warn(
          "{}: {} tokens (first: line {}) are not in the target vocabulary: each translation that "
          "begins with one has <unk> there",
          lines_.path(), format_thousands(unknown_), first_unknown_);
    if (std::string line; lines_.next(line))
      fail("{}: it has more than the {} lines of the input: both need the same number of lines",
           lines_.path(), read);
  }

 private:
  LineReader lines_;
  const Vocabulary& target_;
  int64_t unknown_ = 0, first_unknown_ = 0;  // tokens; the first line that has one
};

TranslatorOptions translator_options(const TranslateChoice& chosen, const Config& config) {
  TranslatorOptions options;
  options.search = chosen.search.search(config.decode);
  options.batch_tokens = chosen.search.decode(config.decode).batch_tokens;
  options.one_by_one = chosen.interactive;
  chosen.output.ask(options.search);
  return options;
}

std::string describe(const SearchOptions& search) {
  if (search.sampling) return fmt::format("drawn with seed {}", search.sampling->seed);
  return fmt::format("beam {}, length penalty {}", search.beam,
                     format_real(search.ranking.length_penalty));
}

}  // namespace

int run_translate(const Arguments& arguments) {
  TranslateChoice chosen;
  if (!parse(arguments, chosen)) return 0;
  LineReader lines(chosen.input);
  TranslationWriter writer(chosen.output);
  const LoadedEnsemble loaded = chosen.models.load();
  const LoadedModel& first = loaded.first();
  const std::string& path = chosen.models.models[0];
  const Ensemble models = loaded.ensemble();
  TranslatorOptions options = translator_options(chosen, first.config);
  if (options.search.ranking.coverage_penalty > 0)
    require_attention(models.has_attention(), path, "a coverage penalty");
  const auto shortlister = chosen.shortlist.load(first);
  options.search.shortlister = shortlister.get();
  std::optional<Prefixes> prefixes;
  if (!chosen.prefix.empty()) {
    prefixes.emplace(chosen.prefix, *first.target_vocabulary);
    options.next_prefix = [&prefixes] { return prefixes->next(); };
  }
  writer.use(first, models.has_attention(), path);
  spdlog::info("{}: {}, batches of {} tokens, {}", fmt::join(chosen.models.models, ", "),
               describe(options.search), options.batch_tokens, chosen.models.describe(first));
  Translator translator(models, *first.source_vocabulary, options);
  const TranslationCounts counts = translator.run(
      lines, [&writer](const TranslatedLine& line) { writer.write(line); },
      [&writer] { writer.flush(); });
  if (prefixes) prefixes->check_end();
  writer.commit();
  spdlog::info("{}", counts.summary());
  return 0;
}

}  // namespace heed::cli
