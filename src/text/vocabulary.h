// Text to ids and back. Ids 0 to 2 have the same meaning in every vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

using TokenId = int32_t;
inline constexpr TokenId kUnknown = 0;  // <unk>
inline constexpr TokenId kStart = 1;    // <s>: given to the decoder before the first token
inline constexpr TokenId kEnd = 2;      // </s>: ends every sentence on both sides; fills padding

struct Tokens {
  std::vector<TokenId> ids;         // without <s> and </s>
  std::vector<std::string> pieces;  // same size; an unknown piece keeps its surface
};

class Vocabulary {
 public:
  virtual ~Vocabulary() = default;
  virtual const char* kind() const = 0;  // "sentencepiece" | "word"
  virtual int64_t size() const = 0;
  // Invalid UTF-8 is replaced by U+FFFD first. "</s>" typed in a text is text, never a control id.
  virtual std::vector<TokenId> encode(std::string_view line) const = 0;
  virtual Tokens tokenize(std::string_view line) const = 0;
  // Plain text. Control ids are left out; an unknown piece becomes U+2047, as in SentencePiece.
  virtual std::string decode(std::span<const TokenId> ids) const = 0;
  // The same for pieces instead of ids. A piece that is not in the vocabulary is its own text.
  virtual std::string decode_pieces(const std::vector<std::string>& pieces) const = 0;
  virtual std::string piece(TokenId id) const = 0;
  // True if the piece begins a word (SentencePiece: it has the mark of word_mark.h; word: always).
  virtual bool begins_word(std::string_view piece) const = 0;
  // The text that a piece adds to its word: SentencePiece's mark is taken off.
  virtual std::string_view without_mark(std::string_view piece) const = 0;
  // The opposite for text that begins a word: SentencePiece's mark is put in front.
  virtual std::string with_mark(std::string_view text) const = 0;
  // Everything that make_vocabulary needs to make it again: stored inside a checkpoint.
  virtual std::string serialize() const = 0;
};

// How a vocabulary is trained.
struct VocabularyOptions {
  std::string kind = "sentencepiece";  // sentencepiece | word
  std::string type = "unigram";        // unigram | bpe
  int64_t size = 8000;
  std::string size_name = "data.vocab_size";  // its name in messages
  bool lowercase = false;                     // part of the vocabulary, so translation does it too
  int tsv_column = 0;  // 1, 2: only that side of tab-separated lines; 0: the whole line
};
}  // namespace heed
