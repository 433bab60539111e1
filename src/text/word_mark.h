// SentencePiece's mark for the space before a word, U+2581: only this room knows it.
#pragma once

#include <string_view>

namespace heed {

inline constexpr std::string_view kWordMark = "\xe2\x96\x81";
inline constexpr char32_t kWordMarkCodePoint = U'\u2581';

inline bool has_word_mark(std::string_view piece) { return piece.starts_with(kWordMark); }
// The piece as it stands in a word: without the mark that it may begin with.
inline std::string_view without_word_mark(std::string_view piece) {
  return has_word_mark(piece) ? piece.substr(kWordMark.size()) : piece;
}

}  // namespace heed
