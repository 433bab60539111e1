// The response to POST /translate.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "decode/translation_json.h"
#include "serve/request.h"

namespace heed::serve {

// What turns tokens of a translation into text and links. Must outlive its users.
struct Languages {
  const Vocabulary& source;
  const Vocabulary& target;
  double link_threshold = 0;  // as in links_of()
};

// Makes {"translations": [...]} with one entry per text, in their order. `lines` are the lines of
// all texts in order. An entry has the keys of translation_json() that the request asks for: always
// text, logp, score and finished; with alignment also source, target and links; with attention also
// source, target and attention; with format json all keys. With nbest above 1, "nbest" is a list of
// such entries, best first. "note" says that a line was cut. The entry of a text with several lines
// has "text" (the lines, separated by line feeds), "logp" and "score" (sums) and "lines", a list of
// entries. Throws HttpError 413 if the attention is too large to send.
nlohmann::ordered_json answer(const TranslateRequest& request,
                              std::span<const TranslatedLine> lines, const Languages& languages);

}  // namespace heed::serve
