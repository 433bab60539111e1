// All that is known of the translations of one line, as a line of JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "decode/alignment.h"
#include "decode/links.h"

namespace heed {

struct ShownTranslation {
  std::string text;
  std::vector<std::string> tokens;  // pieces, "</s>" last; empty for an empty source
  const Hypothesis& hypothesis;
  AlignedSentence aligned;  // of pieces or of words
  Links links;              // of the same
};

// {"id", "source", "translations": [{"text", "logp", "score", "finished", "tokens", "token_logp",
// "target", "links", "attention"}]}: tokens with their log-probabilities, and source, target, links
// and attention as in dump_line() and links_text(). Numbers to 6 decimals. Always valid UTF-8.
std::string translations_line(int64_t id, const std::vector<ShownTranslation>& translations);

}  // namespace heed
