// What a client gets from POST /translate.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "decode/translation_json.h"
#include "serve/request.h"

namespace heed::serve {

// What texts were translated from and to. Must outlive what uses it.
struct Languages {
  const Vocabulary& source;
  const Vocabulary& target;
  double link_threshold = 0;  // as links_of()
};

// {"translations": [...]}, one entry for each text, in their order. `lines`: those of all texts, in
// their order. An entry has the keys of translation_json() that the request asks for: text, logp,
// score and finished always; with alignment source, target and links; with attention source,
// target and attention; with format json all. With nbest above 1 "nbest" lists such entries, the
// best first. "note" tells of a line that was cut. The entry of a text of several lines has "text"
// (its lines, each with a line feed before the next), "logp" and "score" (sums) and "lines", a list
// of entries. Throws HttpError 413 where the attention would be too large to send.
nlohmann::ordered_json answer(const TranslateRequest& request,
                              std::span<const TranslatedLine> lines, const Languages& languages);

}  // namespace heed::serve
