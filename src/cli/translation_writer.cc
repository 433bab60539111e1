#include "cli/translation_writer.h"

#include "base/error.h"
#include "base/log.h"
#include "base/numbers.h"
#include "decode/translation_json.h"

namespace heed::cli {
namespace {

// The separator of the n-best format must not occur in a text.
std::string without_separator(std::string text) {
  constexpr std::string_view kSeparator = "|||";
  for (size_t at = 0; (at = text.find(kSeparator, at)) != std::string::npos;)
    text.replace(at, kSeparator.size(), "&#124;&#124;&#124;");
  return text;
}

}  // namespace

void OutputChoice::declare(Options& options) {
  options.text("output", output, "where to write; - is standard output")
      .choice("format", format, {"text", "nbest", "json"},
              "nbest: NUMBER ||| TEXT ||| logp= LOGP ||| SCORE; json: all that is known (default: "
              "text, or nbest with --nbest)")
      .flag("scores", scores,
            "format text: write LOGP, a tab, TEXT (LOGP as of heed score --pieces)")
      .flag("replace-unknown", replace_unknown,
            "replace <unk> by the most attended source word, or its --dictionary entry")
      .text("dictionary", dictionary, "for --replace-unknown: lines SOURCE TARGET, one word each");
  alignment.declare(options);
}

void OutputChoice::check(bool with_nbest, const std::vector<NamedFile>& read) {
  if (format.empty()) format = with_nbest ? "nbest" : "text";
  if (with_nbest && format == "text")
    throw UsageError("--nbest and --format text: a line has one translation; use nbest or json");
  if (scores && format != "text")
    throw UsageError("--scores is for --format text; the others have the scores anyway");
  if (!dictionary.empty() && !replace_unknown)
    throw UsageError("--dictionary needs --replace-unknown");
  alignment.check(output, read, format == "json");
  check_not_read({"--output", output}, {{"--dictionary", dictionary}});
}

void OutputChoice::ask(SearchOptions& search) const {
  search.attention = needs_attention() || format == "json";
  search.attention_of_all = format == "json" || (replace_unknown && format == "nbest");
  search.constraints.unknown = replace_unknown;
}

TranslationWriter::TranslationWriter(const OutputChoice& choice)
    : choice_(choice),
      unknown_words_(choice.dictionary.empty() ? UnknownWords() : UnknownWords(choice.dictionary)),
      text_(choice.output),
      alignments_(choice.alignment) {}

void TranslationWriter::use(const LoadedModel& loaded, bool has_attention,
                            const std::string& path) {
  source_ = loaded.source_vocabulary.get();
  target_ = loaded.target_vocabulary.get();
  if (choice_.replace_unknown) require_attention(has_attention, path, "--replace-unknown");
  alignments_.use(loaded, has_attention, path);
}

std::vector<std::string> TranslationWriter::pieces(const TranslatedLine& line,
                                                   const Hypothesis& hypothesis) const {
  if (choice_.replace_unknown)
    return unknown_words_.replaced(hypothesis, line.source.tokens.pieces, *target_);
  return pieces_of(*target_, hypothesis.ids);
}

std::string TranslationWriter::text(const TranslatedLine& line,
                                    const Hypothesis& hypothesis) const {
  return choice_.replace_unknown ? target_->decode_pieces(pieces(line, hypothesis))
                                 : target_->decode(hypothesis.ids);
}

void TranslationWriter::write_json(const TranslatedLine& line) {
  const ShowOptions options{choice_.alignment.words, choice_.alignment.link_threshold};
  std::vector<ShownTranslation> all;
  for (const Hypothesis& hypothesis : line.translation.nbest)
    all.push_back(shown_translation(line, hypothesis, text(line, hypothesis),
                                    pieces(line, hypothesis), *source_, *target_, options));
  text_.line(translations_line(line.id, all));
}

void TranslationWriter::write_nbest(const TranslatedLine& line) {
  for (const Hypothesis& hypothesis : line.translation.nbest)
    text_.line(fmt::format(
        "{} ||| {} ||| logp= {} ||| {}", line.id, without_separator(text(line, hypothesis)),
        format_fixed(hypothesis.log_probability, 4), format_fixed(hypothesis.score, 4)));
}

void TranslationWriter::write_text(const TranslatedLine& line) {
  const Hypothesis& best = line.translation.best();
  const std::string plain = text(line, best);
  text_.line(choice_.scores ? format_fixed(best.log_probability, 4) + '\t' + plain : plain);
}

void TranslationWriter::write(const TranslatedLine& line) {
  if (choice_.format == "json")
    write_json(line);
  else if (choice_.format == "nbest")
    write_nbest(line);
  else
    write_text(line);
  const Hypothesis& best = line.translation.best();
  if (choice_.alignment.wanted())
    alignments_.write(
        aligned_sentence(line.id, line.source.tokens.pieces, pieces(line, best), best));
  written_ = line.id + 1;
}

void TranslationWriter::flush() {
  text_.flush();
  alignments_.flush();
  constexpr auto kBetween = std::chrono::seconds(30);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_report_ < kBetween) return;
  last_report_ = now;
  spdlog::info("{} lines translated", format_thousands(written_));
}

void TranslationWriter::commit() {
  text_.commit();
  alignments_.commit();
}

}  // namespace heed::cli
