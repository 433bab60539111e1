// Words of text that is already tokenised. Only ASCII spaces and tabs separate words: a no-break
// space stays inside its word.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

// Non-empty parts between spaces and tabs; views into `line`.
std::vector<std::string_view> split_words(std::string_view line);

class WordVocabulary : public Vocabulary {
 public:
  // `words` get the ids 3, 4, ...; they are distinct. `lowercase`: lines are lower-cased before
  // they are split.
  WordVocabulary(std::vector<std::string> words, bool lowercase);

  // From serialize(): a header line, then one word per line. Throws UserError "NAME:LINE: ..." for
  // anything else, an empty line or a repeated word.
  static std::shared_ptr<const Vocabulary> parse(const std::string& bytes, const std::string& name);
  // The most frequent words of the files, at most options.size - 3; words of equal counts in order
  // of their bytes.
  static std::shared_ptr<const Vocabulary> train(const std::vector<std::string>& files,
                                                 const VocabularyOptions& options);

  const char* kind() const override { return "word"; }
  int64_t size() const override;
  std::vector<TokenId> encode(std::string_view line) const override;
  Tokens tokenize(std::string_view line) const override;
  std::string decode(std::span<const TokenId> ids) const override;
  std::string decode_pieces(const std::vector<std::string>& pieces) const override;
  std::string piece(TokenId id) const override;
  bool begins_word(std::string_view) const override { return true; }
  std::string_view without_mark(std::string_view piece) const override { return piece; }
  std::string with_mark(std::string_view text) const override { return std::string(text); }
  std::string serialize() const override;

 private:
  std::string normalise(std::string_view line) const;
  TokenId id_of(std::string_view word) const;

  std::vector<std::string> words_;
  std::unordered_map<std::string_view, TokenId> ids_;  // views into words_
  bool lowercase_;
};

}  // namespace heed
