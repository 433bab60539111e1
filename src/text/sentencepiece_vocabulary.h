// Subwords by SentencePiece, with the ids of every heed vocabulary: <unk> 0, <s> 1, </s> 2.
#pragma once

#include <sentencepiece_processor.h>

#include <memory>
#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

class SentencePieceVocabulary : public Vocabulary {
 public:
  // `bytes` is a serialised model. Throws UserError naming `name` if they are something else, or if
  // the model has other control ids.
  SentencePieceVocabulary(const std::string& bytes, const std::string& name);

  // Trains on the files in one thread with a fixed seed. Lines longer than kMaxLineBytes are left
  // out with a warning.
  static std::shared_ptr<const Vocabulary> train(const std::vector<std::string>& files,
                                                 const VocabularyOptions& options);
  static constexpr size_t kMaxLineBytes = 16384;

  const char* kind() const override { return "sentencepiece"; }
  int64_t size() const override { return processor_.GetPieceSize(); }
  std::vector<TokenId> encode(std::string_view line) const override;
  Tokens tokenize(std::string_view line) const override;
  std::string decode(std::span<const TokenId> ids) const override;
  std::string decode_pieces(const std::vector<std::string>& pieces) const override;
  std::string piece(TokenId id) const override;
  bool begins_word(std::string_view piece) const override;
  std::string_view without_mark(std::string_view piece) const override;
  std::string with_mark(std::string_view text) const override;
  std::string serialize() const override { return bytes_; }

 private:
  void check_id(TokenId id) const;

  sentencepiece::SentencePieceProcessor processor_;
  std::string bytes_;
};

}  // namespace heed
