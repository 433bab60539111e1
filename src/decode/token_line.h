// A line of text as the model gets it: tokens, cut to a limit that bounds the memory of a batch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/vocabulary.h"

namespace heed {

inline constexpr int64_t kMaxSourceTokens = 1000;
// Of a given translation: more than a search finds with the default limits.
inline constexpr int64_t kMaxTargetTokens = 5000;

struct TokenLine {
  Tokens tokens;
  int64_t tokens_before_cut = 0;

  bool empty() const { return tokens.ids.empty(); }
  bool is_cut() const { return tokens_before_cut > static_cast<int64_t>(tokens.ids.size()); }
};

TokenLine token_line(const Vocabulary& vocabulary, std::string_view line, int64_t limit);

// Lines are translated in windows. A window is full once it has kLines lines or kTokens tokens.
class WindowSize {
 public:
  void add(const TokenLine& line) {
    ++lines_;
    tokens_ += static_cast<int64_t>(line.tokens.ids.size());
  }
  bool is_full() const { return lines_ >= kLines || tokens_ >= kTokens; }

 private:
  static constexpr int64_t kLines = 2000, kTokens = 50'000;
  int64_t lines_ = 0, tokens_ = 0;
};

// Counts the lines that were cut, and warns of the first few by their number.
class CutLines {
 public:
  // "NAME:LINE: 1234 tokens, cut to the first 1000".
  void note(const TokenLine& line, const std::string& name, int64_t number);
  int64_t count() const { return count_; }

 private:
  int64_t count_ = 0;
};

}  // namespace heed
