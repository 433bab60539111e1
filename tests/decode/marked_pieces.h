// A vocabulary whose pieces are marked as SentencePiece marks them, without a model.
#pragma once

#include "text/word_mark.h"
#include "text/word_vocabulary.h"

namespace heed::test {

class MarkedPieces : public WordVocabulary {
 public:
  MarkedPieces() : WordVocabulary({}, false) {}
  const char* kind() const override { return "sentencepiece"; }
  bool begins_word(std::string_view piece) const override { return has_word_mark(piece); }
  std::string_view without_mark(std::string_view piece) const override {
    return without_word_mark(piece);
  }
  std::string with_mark(std::string_view text) const override {
    return std::string(kWordMark).append(text);
  }
};

}  // namespace heed::test
