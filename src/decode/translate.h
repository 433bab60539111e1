// Translation of text: sentences in windows, sorted into batches by length, results in the order of
// the input.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "decode/hypothesis.h"
#include "decode/token_line.h"
#include "nn/model.h"
#include "text/vocabulary.h"

namespace heed {

struct Translation {
  std::vector<Hypothesis> nbest;  // best first, never empty
  const Hypothesis& best() const { return nbest.front(); }
};

// Translations of sentences of token ids (without </s>), in their order. An empty source gives the
// empty hypothesis with log probability 0 without running the model. batch_tokens: padded source
// tokens a batch; it changes speed and memory only.
std::vector<Translation> translate_batchwise(Model& model,
                                             std::span<const std::vector<TokenId>> sources,
                                             const SearchOptions& options,
                                             int64_t batch_tokens = 2000);

struct TranslatedLine {
  int64_t id = 0;  // number of its line, from 0
  TokenLine source;
  Translation translation;
};

// What was read and written, for the line at the end of a run.
struct TranslationCounts {
  int64_t read = 0, written = 0;
  int64_t empty = 0;            // nothing to translate
  int64_t truncated = 0;        // longer than kMaxSourceTokens
  int64_t nothing = 0;          // not empty, but the translation is
  int64_t unfinished = 0;       // translations cut at their length limit
  std::string summary() const;  // "12 lines read, 12 written, 1 empty, 0 truncated"
};

struct TranslatorOptions {
  SearchOptions search;
  int64_t batch_tokens = 2000;
};

// Translates lines as they come. Nothing is owned; model and vocabulary must outlive it.
class Translator {
 public:
  using Sink = std::function<void(const TranslatedLine&)>;

  Translator(Model& model, const Vocabulary& source, const TranslatorOptions& options)
      : model_(model), source_(source), options_(options) {}

  // Gives `sink` every line of `lines` in order, and calls `flush` when what was read so far has
  // been given and more must be waited for: whoever writes a line and waits for its translation
  // gets it. Memory doesn't grow with the number of lines. Warns of lines that were cut.
  TranslationCounts run(LineReader& lines, const Sink& sink, const std::function<void()>& flush);
  // The same for lines in memory, without warnings.
  TranslationCounts run(std::span<const std::string> lines, const Sink& sink);

 private:
  struct Window;
  void translate(Window& window, const Sink& sink, TranslationCounts& counts);

  Model& model_;
  const Vocabulary& source_;
  TranslatorOptions options_;
};

}  // namespace heed
