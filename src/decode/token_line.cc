#include "decode/token_line.h"

#include "base/log.h"

namespace heed {

TokenLine token_line(const Vocabulary& vocabulary, std::string_view line, int64_t limit) {
  TokenLine result{vocabulary.tokenize(line), 0};
  result.tokens_before_cut = static_cast<int64_t>(result.tokens.ids.size());
  if (result.tokens_before_cut > limit) {
    result.tokens.ids.resize(static_cast<size_t>(limit));
    result.tokens.pieces.resize(static_cast<size_t>(limit));
  }
  return result;
}

void CutLines::note(const TokenLine& line, const std::string& name, int64_t number) {
  constexpr int64_t kNamed = 5;
  if (!line.is_cut() || ++count_ > kNamed) return;
  spdlog::warn("{}:{}: {} tokens, cut to the first {}{}", name, number, line.tokens_before_cut,
               line.tokens.ids.size(),
               count_ == kNamed ? "; further lines that are cut are only counted" : "");
}

}  // namespace heed
