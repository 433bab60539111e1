// Translation of text. Sentences are read in windows and translated in batches of similar lengths;
// results come in the order of the input.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "decode/ensemble.h"
#include "decode/hypothesis.h"
#include "decode/token_line.h"
#include "text/vocabulary.h"

namespace heed {

struct Translation {
  std::vector<Hypothesis> nbest;  // best first, never empty
  const Hypothesis& best() const { return nbest.front(); }
};

// Translations of sentences of token ids (without </s>), in their order. An empty source gives the
// empty hypothesis with log-probability 0, and the model is not run on it. `batch_tokens`: padded
// source tokens per batch; affects speed and memory only. `prefixes`: what each translation begins
// with, or none. The draws of a sentence depend only on the seed, its tokens and its prefix.
std::vector<Translation> translate_batchwise(const Ensemble& models,
                                             std::span<const std::vector<TokenId>> sources,
                                             const SearchOptions& options,
                                             int64_t batch_tokens = DecodeConfig().batch_tokens,
                                             std::span<const std::vector<TokenId>> prefixes = {});

struct TranslatedLine {
  int64_t id = 0;  // number of its line, from 0
  TokenLine source;
  Translation translation;
};

// What was read and written, for the message at the end.
struct TranslationCounts {
  int64_t read = 0, written = 0;
  int64_t empty = 0;                // nothing to translate
  int64_t truncated = 0;            // longer than kMaxSourceTokens
  int64_t mended = 0;               // not valid UTF-8; wrong bytes were read as U+FFFD
  int64_t nothing = 0;              // lines with text whose translation is empty
  int64_t unfinished = 0;           // translations cut at their length limit
  int64_t tokens = 0, unknown = 0;  // of the source
  std::string summary() const;      // "12 lines read, 12 written, 1 empty, 0 truncated"
};

struct TranslatorOptions {
  SearchOptions search;
  int64_t batch_tokens = DecodeConfig().batch_tokens;
  // Called once per line, in order: gives what its translation begins with. Empty: no prefixes.
  std::function<std::vector<TokenId>()> next_prefix;
  bool one_by_one = false;  // each line is translated before the next is read
};

// Translates lines as they come. Models and vocabulary must outlive it.
class Translator {
 public:
  using Sink = std::function<void(const TranslatedLine&)>;

  Translator(const Ensemble& models, const Vocabulary& source, const TranslatorOptions& options)
      : models_(models), source_(source), options_(options) {}

  // Gives every line to `sink`, in order. Before it waits for further input, it translates all that
  // was read and calls `flush`, so that a program which writes a line and waits for its translation
  // gets it. Memory doesn't grow with the number of lines. Warns of lines that were cut.
  TranslationCounts run(LineReader& lines, const Sink& sink, const std::function<void()>& flush);
  // The same for lines in memory, without warnings.
  TranslationCounts run(std::span<const std::string> lines, const Sink& sink);

 private:
  struct Window;
  const TokenLine& add(Window& window, std::string_view line);
  void translate(Window& window, const Sink& sink, TranslationCounts& counts);

  Ensemble models_;
  const Vocabulary& source_;
  TranslatorOptions options_;
};

}  // namespace heed
