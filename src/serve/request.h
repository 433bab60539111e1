// What a client asks of POST /translate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "serve/batcher.h"

namespace heed::serve {

// The limits and defaults that the server and its model give a request.
struct RequestRules {
  int64_t beam = SearchOptions().beam, nbest = SearchOptions().nbest;  // if a request has none
  bool sampling = false;  // draws: there is no beam to choose
  bool has_attention = true;
  int64_t most_beam = 20;  // also of nbest; not less than beam and nbest above
  int64_t most_sentences = 500;
};

struct TranslateRequest {
  std::vector<std::vector<std::string>> texts;  // each as its lines
  SearchVariant search;
  bool alignment = false, attention = false;  // wanted in the answer
  bool words = false;                         // of words instead of pieces
  bool everything = false;                    // "format": "json"

  size_t sentences() const;
};

// The lines of a text, as of a file with this content: only the byte 0x0A ends a line, one 0x0D
// before it is dropped. An empty text is one empty line.
std::vector<std::string> lines_of(std::string_view text);

// A JSON object:
//   text       a text or a list of texts, which may have several lines
//   beam       hypotheses kept while searching
//   nbest      translations of each line, as "nbest"
//   alignment  source, target and links of each translation
//   attention  source, target and attention of each translation
//   words      the two of words instead of pieces
//   format     "text", or "json": all keys that heed translate --format json has
// Only text is required. Invalid UTF-8 becomes U+FFFD. Throws HttpError: 400 with the key
// and what to do, as for a key that is given twice; 413 for too many sentences.
TranslateRequest parse_request(std::string body, const RequestRules& rules);

}  // namespace heed::serve
