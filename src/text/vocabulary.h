// Strings to ids and back. Ids 0..2 are the same in every vocabulary, so no table can shift them.
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
inline constexpr TokenId kEnd = 2;  // </s>: ends every sentence on both sides; also fills padding

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
  // Plain text; control ids are left out, an unknown piece becomes U+2047 (as SentencePiece writes
  // it).
  virtual std::string decode(std::span<const TokenId> ids) const = 0;
  // The same for pieces without control ids; a piece that is none of the vocabulary's is its own
  // text.
  virtual std::string decode_pieces(const std::vector<std::string>& pieces) const = 0;
  virtual std::string piece(TokenId id) const = 0;
  // True where a token begins a word (SentencePiece: its piece begins with U+2581; word: always).
  virtual bool begins_word(std::string_view piece) const = 0;
  // Everything needed to make it again: stored inside a checkpoint.
  virtual std::string serialize() const = 0;
};

// From serialize() of that kind. Throws UserError "`name`: not a SentencePiece model ...".
std::shared_ptr<const Vocabulary> make_vocabulary(const std::string& kind, const std::string& bytes,
                                                  const std::string& name);
// A SentencePiece .model file. Throws UserError for a missing file, or one that is something else.
std::shared_ptr<const Vocabulary> load_sentencepiece(const std::string& path);

struct VocabularyOptions {
  std::string kind = "sentencepiece";  // sentencepiece | word
  std::string type = "unigram";        // unigram | bpe
  int64_t size = 8000;
  std::string size_name = "data.vocab_size";  // how messages call it
  bool lowercase = false;  // part of the normaliser, so that translation does it too
  int tsv_column = 0;      // 1, 2: only that side of tab-separated lines; 0: the whole line
};
// Trains on the lines of all files (plain or gzip). The same files and options give the same
// vocabulary. A text too small for `size` pieces gives the largest vocabulary it can, with a
// warning (never a failure). Throws UserError when no line can be used.
std::shared_ptr<const Vocabulary> train_vocabulary(const std::vector<std::string>& files,
                                                   const VocabularyOptions& options);

}  // namespace heed
