// Writes translations in the formats of translate.
#pragma once

#include <chrono>
#include <string>

#include "cli/decoding.h"
#include "decode/translate.h"
#include "decode/unknown_words.h"

namespace heed::cli {

// --output, --format, --scores, --replace-unknown, --dictionary, and AlignmentChoice.
struct OutputChoice {
  AlignmentChoice alignment;
  std::string output = "-";
  std::string format;  // text | nbest | json; "": text, or nbest if --nbest is given
  std::string dictionary;
  bool scores = false, replace_unknown = false;

  void declare(Options& options);
  // Throws UsageError for options that don't go together.
  void check(bool with_nbest, const std::vector<NamedFile>& read);
  // What the search must keep and allow for this.
  void ask(SearchOptions& search) const;
  bool needs_attention() const { return alignment.wanted() || replace_unknown; }
};

class TranslationWriter {
 public:
  explicit TranslationWriter(const OutputChoice& choice);

  // Throws UserError if attention is requested and `loaded` (from `path`) has none.
  void use(const LoadedModel& loaded, bool has_attention, const std::string& path);
  void write(const TranslatedLine& line);
  // What was written can be read now; for a long text, says how far it is.
  void flush();
  void commit();

 private:
  std::vector<std::string> pieces(const TranslatedLine& line, const Hypothesis& hypothesis) const;
  std::string text(const TranslatedLine& line, const Hypothesis& hypothesis) const;
  void write_json(const TranslatedLine& line);
  void write_nbest(const TranslatedLine& line);
  void write_text(const TranslatedLine& line);

  const OutputChoice& choice_;
  UnknownWords unknown_words_;
  const Vocabulary* source_ = nullptr;
  const Vocabulary* target_ = nullptr;
  Output text_;
  AlignmentFiles alignments_;
  int64_t written_ = 0;
  std::chrono::steady_clock::time_point last_report_ = std::chrono::steady_clock::now();
};

}  // namespace heed::cli
