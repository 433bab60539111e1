#include "text/sentencepiece_vocabulary.h"

#include "base/error.h"
#include "text/mend.h"
#include "text/word_mark.h"

namespace heed {
namespace {

// Collapses runs of spaces and removes those at the ends: unknown pieces bring spaces of their own.
std::string squeeze_spaces(const std::string& text) {
  std::string squeezed;
  for (const char c : text)
    if (c != ' ' || (!squeezed.empty() && squeezed.back() != ' ')) squeezed += c;
  if (squeezed.ends_with(' ')) squeezed.pop_back();
  return squeezed;
}

void check_status(const sentencepiece::util::Status& status, const char* function) {
  check(status.ok(), "[{}] SentencePiece failed: {}", function, status.message());
}

}  // namespace

SentencePieceVocabulary::SentencePieceVocabulary(const std::string& bytes, const std::string& name)
    : bytes_(bytes) {
  const auto status = processor_.LoadFromSerializedProto(bytes);
  if (!status.ok() || processor_.GetPieceSize() == 0)
    fail("{}: not a SentencePiece model; give the .model file, not the .vocab", name);
  if (processor_.unk_id() != kUnknown || processor_.bos_id() != kStart ||
      processor_.eos_id() != kEnd)
    fail("{}: its control ids are <unk> {}, <s> {}, </s> {}; heed needs 0, 1, 2", name,
         processor_.unk_id(), processor_.bos_id(), processor_.eos_id());
}

std::vector<TokenId> SentencePieceVocabulary::encode(std::string_view line) const {
  std::vector<int> ids;
  check_status(processor_.Encode(mend_utf8(line), &ids), "encode");
  return ids;
}

Tokens SentencePieceVocabulary::tokenize(std::string_view line) const {
  const auto text = processor_.EncodeAsImmutableProto(mend_utf8(line));
  Tokens tokens;
  for (const auto& piece : text.pieces()) {
    tokens.ids.push_back(static_cast<TokenId>(piece.id()));
    tokens.pieces.push_back(piece.piece());
  }
  return tokens;
}

std::string SentencePieceVocabulary::decode(std::span<const TokenId> ids) const {
  std::vector<int> kept;
  bool unknown = false;
  for (const TokenId id : ids) {
    check_id(id);
    unknown = unknown || id == kUnknown;
    if (id != kStart && id != kEnd) kept.push_back(id);
  }
  std::string text;
  check_status(processor_.Decode(kept, &text), "decode");
  return unknown ? squeeze_spaces(text) : text;
}

std::string SentencePieceVocabulary::decode_pieces(const std::vector<std::string>& pieces) const {
  std::string text;
  check_status(processor_.Decode(pieces, &text), "decode_pieces");
  return text;
}

std::string SentencePieceVocabulary::piece(TokenId id) const {
  check_id(id);
  return processor_.IdToPiece(id);
}

bool SentencePieceVocabulary::begins_word(std::string_view piece) const {
  return has_word_mark(piece);
}

std::string_view SentencePieceVocabulary::without_mark(std::string_view piece) const {
  return without_word_mark(piece);
}

std::string SentencePieceVocabulary::with_mark(std::string_view text) const {
  return std::string(kWordMark).append(text);
}

void SentencePieceVocabulary::check_id(TokenId id) const {
  check(id >= 0 && id < size(), "[SentencePieceVocabulary] id must be below {}. Received {}",
        size(), id);
}

}  // namespace heed
