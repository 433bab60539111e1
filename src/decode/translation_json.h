// All that is known of the translations of one line, as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "decode/alignment.h"
#include "decode/links.h"
#include "decode/translate.h"

namespace heed {

struct ShownTranslation {
  std::string text;
  std::vector<std::string> tokens;  // pieces, "</s>" last; empty for an empty source
  const Hypothesis& hypothesis;
  AlignedSentence aligned;  // of pieces or of words
  Links links;              // of the same
};

struct ShowOptions {
  bool words = false;         // alignment of words instead of pieces
  double link_threshold = 0;  // as links_of()
};
// `hypothesis` is one of the line's and must outlive the result; `pieces` are its own, as
// pieces_of() gives them, or others in their place.
ShownTranslation shown_translation(const TranslatedLine& line, const Hypothesis& hypothesis,
                                   std::string text, std::vector<std::string> pieces,
                                   const Vocabulary& source, const Vocabulary& target,
                                   const ShowOptions& options);

// Which keys an object has besides text, logp, score and finished.
struct ShownKeys {
  bool tokens = true;  // tokens, token_logp
  bool target = true;  // what links and rows of attention count
  bool links = true;
  bool attention = true;
};
// {"text", "logp", "score", "finished", "tokens", "token_logp", "target", "links", "attention"}:
// tokens with their log-probabilities, and target, links and attention as in dump_line() and
// links_text(). Numbers to 6 decimals.
nlohmann::ordered_json translation_json(const ShownTranslation& shown, const ShownKeys& keys = {});

// {"id", "source", "translations": [...]} on one line, with all keys. Always valid UTF-8.
std::string translations_line(int64_t id, const std::vector<ShownTranslation>& translations);

}  // namespace heed
