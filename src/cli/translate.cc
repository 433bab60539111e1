// heed translate: lines of text in, lines of text out, in the same order.
#include "decode/translate.h"

#include <chrono>

#include "base/error.h"
#include "base/log.h"
#include "base/numbers.h"
#include "cli/decoding.h"
#include "text/shortlist.h"

namespace heed::cli {
namespace {

constexpr int64_t kMostHypotheses = 1000;  // as decode.beam

struct TranslateChoice {
  ModelChoice model;
  AlignmentChoice alignment;
  std::string input = "-", output = "-";
  std::string shortlist;  // "": the whole vocabulary
  std::optional<int64_t> beam, nbest, batch_tokens, frequent, candidates;
  std::optional<double> length_penalty, max_length_ratio;
  bool scores = false;
  bool with_shortlist = false;
};

void declare_shortlist(Options& options, TranslateChoice& chosen) {
  options
      .text("shortlist", chosen.shortlist,
            "consider only likely target pieces, by a lexicon of heed shortlist or any file of "
            "lines TARGET SOURCE PROBABILITY, plain or gzip: faster. Scores and n-best lists are "
            "then normalised over these pieces: a little above what heed score gives")
      .integer(
          "shortlist-frequent", chosen.frequent, 0,
          "pieces that every sentence may use: those that the lexicon gives most often (default: "
          "200)")
      .integer("shortlist-candidates", chosen.candidates, 1,
               "best candidates taken of each source piece (default: 50)");
}

void check_shortlist(const TranslateChoice& chosen) {
  if (chosen.with_shortlist && chosen.shortlist.empty())
    throw UsageError("--shortlist: '' is no file");
  if (chosen.shortlist.empty() && (chosen.frequent || chosen.candidates))
    throw UsageError(fmt::format("--shortlist-{} needs --shortlist",
                                 chosen.frequent ? "frequent" : "candidates"));
  if (chosen.shortlist == "-" && chosen.input == "-")
    throw UsageError("--shortlist and --input are both standard input: give one of them a file");
}

// Null without --shortlist.
std::unique_ptr<const Shortlister> load_shortlister(const TranslateChoice& chosen,
                                                    const LoadedModel& loaded) {
  if (chosen.shortlist.empty()) return nullptr;
  ShortlistOptions options;
  options.frequent = chosen.frequent.value_or(options.frequent);
  options.candidates = chosen.candidates.value_or(options.candidates);
  auto shortlister = std::make_unique<const Shortlister>(
      chosen.shortlist, *loaded.source_vocabulary, *loaded.target_vocabulary, options);
  spdlog::info("shortlist {}", shortlister->summary());
  return shortlister;
}

bool parse(const Arguments& arguments, TranslateChoice& chosen) {
  Options options(
      "heed translate --model M [--input F|-] [--output F|-]",
      "Translates each line of the input and writes one line for it, in the same order. An empty "
      "line stays empty.\nA score is log p / ((5 + length) / 6)^penalty, with log p the natural "
      "logarithm of the probability and length\nthe tokens of the translation, both with </s>.");
  chosen.model.declare(options);
  options.text("input", chosen.input, "text to translate, plain or gzip; - is standard input")
      .text("output", chosen.output, "where to write; - is standard output")
      .integer("beam", chosen.beam, 1,
               "hypotheses kept while searching; 1: greedy (default: the model's decode.beam)",
               kMostHypotheses)
      .integer("nbest", chosen.nbest, 1,
               "write so many translations of each line: NUMBER ||| TEXT ||| logp= LOGP ||| SCORE, "
               "numbers from 0; ||| in a text becomes &#124;&#124;&#124;",
               kMostHypotheses)
      .number("length-penalty", chosen.length_penalty, 0,
              "the penalty of the score; 0: none (default: the model's decode.length_penalty)")
      .number("max-length-ratio", chosen.max_length_ratio, 0,
              "longest translation: this times the source tokens, plus the model's "
              "decode.max_length_extra (default: the model's decode.max_length_ratio)")
      .flag("scores", chosen.scores,
            "write LOGP, a tab, TEXT; LOGP is what heed score gives (with --nbest it is there "
            "anyway)")
      .integer("batch-tokens", chosen.batch_tokens, 1,
               "padded source tokens a batch; lower it to save memory (default: the model's "
               "decode.batch_tokens)");
  chosen.alignment.declare(options);
  declare_shortlist(options, chosen);
  if (!options.parse(arguments)) return false;
  chosen.with_shortlist = options.given("shortlist");
  chosen.alignment.check(chosen.output, {{"--input", chosen.input},
                                         {"--model", chosen.model.model},
                                         {"--shortlist", chosen.shortlist}});
  check_shortlist(chosen);
  return true;
}

TranslatorOptions translator_options(const TranslateChoice& chosen, const Config& config) {
  TranslatorOptions options{search_options(config.decode), config.decode.batch_tokens};
  SearchOptions& search = options.search;
  search.beam = chosen.beam.value_or(search.beam);
  search.nbest = chosen.nbest.value_or(1);
  search.length_penalty = chosen.length_penalty.value_or(search.length_penalty);
  search.max_length_ratio = chosen.max_length_ratio.value_or(search.max_length_ratio);
  search.attention = chosen.alignment.wanted();
  options.batch_tokens = chosen.batch_tokens.value_or(options.batch_tokens);
  if (search.nbest > search.beam)
    fail("--nbest {} needs a --beam of at least {}; it is {}", search.nbest, search.nbest,
         search.beam);
  return options;
}

// The separator of the n-best format must not stand in a text.
std::string without_separator(std::string text) {
  constexpr std::string_view kSeparator = "|||";
  for (size_t at = 0; (at = text.find(kSeparator, at)) != std::string::npos;)
    text.replace(at, kSeparator.size(), "&#124;&#124;&#124;");
  return text;
}

class TranslationWriter {
 public:
  TranslationWriter(const TranslateChoice& chosen)
      : chosen_(chosen), text_(chosen.output), alignments_(chosen.alignment) {}

  void use(const LoadedModel& loaded) {
    vocabulary_ = loaded.target_vocabulary.get();
    alignments_.use(loaded, chosen_.model.model);
  }

  void write(const TranslatedLine& line) {
    const Hypothesis& best = line.translation.best();
    if (chosen_.nbest) {
      for (const Hypothesis& hypothesis : line.translation.nbest)
        text_.line(fmt::format("{} ||| {} ||| logp= {} ||| {}", line.id,
                               without_separator(vocabulary_->decode(hypothesis.ids)),
                               format_fixed(hypothesis.log_probability, 4),
                               format_fixed(hypothesis.score, 4)));
    } else {
      const std::string text = vocabulary_->decode(best.ids);
      text_.line(chosen_.scores ? format_fixed(best.log_probability, 4) + '\t' + text : text);
    }
    if (chosen_.alignment.wanted())
      alignments_.write(aligned_sentence(line.id, line.source.tokens.pieces,
                                         pieces_of(*vocabulary_, best.ids), best));
    written_ = line.id + 1;
  }

  // What was written can be read now; for a long text, says how far it is.
  void flush() {
    text_.flush();
    alignments_.flush();
    constexpr auto kBetween = std::chrono::seconds(30);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_report_ < kBetween) return;
    last_report_ = now;
    spdlog::info("{} lines translated", format_thousands(written_));
  }

  void commit() {
    text_.commit();
    alignments_.commit();
  }

 private:
  const TranslateChoice& chosen_;
  const Vocabulary* vocabulary_ = nullptr;
  Output text_;
  AlignmentFiles alignments_;
  int64_t written_ = 0;
  std::chrono::steady_clock::time_point last_report_ = std::chrono::steady_clock::now();
};

}  // namespace

int run_translate(const Arguments& arguments) {
  TranslateChoice chosen;
  if (!parse(arguments, chosen)) return 0;
  LineReader lines(chosen.input);
  TranslationWriter writer(chosen);
  const LoadedModel loaded = chosen.model.load();
  TranslatorOptions options = translator_options(chosen, loaded.config);
  const auto shortlister = load_shortlister(chosen, loaded);
  options.search.shortlister = shortlister.get();
  writer.use(loaded);
  spdlog::info("{}: beam {}, length penalty {}, batches of {} tokens, {}", chosen.model.model,
               options.search.beam, format_real(options.search.length_penalty),
               options.batch_tokens, describe_machine(chosen.model, loaded));
  Translator translator(*loaded.model, *loaded.source_vocabulary, options);
  const TranslationCounts counts = translator.run(
      lines, [&writer](const TranslatedLine& line) { writer.write(line); },
      [&writer] { writer.flush(); });
  writer.commit();
  spdlog::info("{}", counts.summary());
  return 0;
}

}  // namespace heed::cli
