#include "eval/tokenizers.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "eval/unicode.h"

namespace heed {
namespace {

using Class = bool (*)(char32_t);

std::vector<std::string> utf8_words(const std::u32string& text) {
  std::vector<std::string> tokens;
  for (const auto& word : split_at_spaces(text)) tokens.push_back(to_utf8(word));
  return tokens;
}

// The substitutions below work like one pass of a regular expression: from left to right, where
// characters of a match cannot be part of the next match.

// s/(A)/ \1 /g
std::u32string set_apart(const std::u32string& text, Class a) {
  std::u32string result;
  for (char32_t c : text) {
    if (a(c)) {
      result += {U' ', c, U' '};
    } else {
      result += c;
    }
  }
  return result;
}

enum class Outer { before, after };  // where a pair gets its second space

// s/(A)(B)/REPLACEMENT/g. The replacement has a space between A and B and one before A or after B.
std::u32string split_pairs(const std::u32string& text, Class a, Class b, Outer outer) {
  std::u32string result;
  for (size_t i = 0; i < text.size();) {
    if (i + 1 == text.size() || !a(text[i]) || !b(text[i + 1])) {
      result += text[i++];
      continue;
    }
    if (outer == Outer::before) result += U' ';
    result += {text[i], U' ', text[i + 1]};
    if (outer == Outer::after) result += U' ';
    i += 2;
  }
  return result;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t i = text.find(from); i != std::string::npos; i = text.find(from, i + to.size())) {
    text.replace(i, from.size(), to);
  }
}

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_not_digit(char32_t c) { return !is_digit(c); }
bool is_period_or_comma(char32_t c) { return c == U'.' || c == U','; }
bool is_dash(char32_t c) { return c == U'-'; }

// The ASCII characters that are always tokens of their own: all except ' , - . and
// letters and digits.
bool is_western_sign(char32_t c) {
  return (c >= U' ' && c <= U'&') || (c >= U'(' && c <= U'+') || c == U'/' ||
         (c >= U':' && c <= U'@') || (c >= U'[' && c <= U'`') || (c >= U'{' && c <= U'~');
}

// The language-dependent part of mteval-v13a: separates symbols, separates periods and commas
// unless they are inside a number, and separates a dash after a digit.
std::vector<std::string> western(std::u32string text) {
  text = set_apart(text, is_western_sign);
  text = split_pairs(text, is_not_digit, is_period_or_comma, Outer::after);
  text = split_pairs(text, is_period_or_comma, is_not_digit, Outer::before);
  text = split_pairs(text, is_digit, is_dash, Outer::after);
  return utf8_words(text);
}

// mteval-v13a: unescapes SGML, then applies western() to the line between two spaces.
std::vector<std::string> tokenize_13a(std::string_view line) {
  std::string text(line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  return western(to_code_points(" " + text + " "));
}

// mteval-v14 --international-tokenization: separates punctuation unless it is between numbers, and
// all symbols. As there, the last period of a line stays with a number before it.
std::vector<std::string> tokenize_intl(std::string_view line) {
  const Class not_number = [](char32_t c) { return !is_number(c); };
  std::u32string text = to_code_points(line);
  text = split_pairs(text, not_number, is_punctuation, Outer::after);
  text = split_pairs(text, is_punctuation, not_number, Outer::before);
  return utf8_words(set_apart(text, is_symbol));
}

std::vector<std::string> tokenize_char(std::string_view line) {
  std::vector<std::string> tokens;
  for (char32_t c : to_code_points(line)) {
    if (!is_space(c)) tokens.push_back(to_utf8(std::u32string_view(&c, 1)));
  }
  return tokens;
}

// The Unicode blocks that sacreBLEU's zh tokenizer treats as Chinese. Two of its ranges are written
// with too few digits and so mean U+2001..U+2A6D and U+2F81..U+2FA1 instead of the supplementary
// ideographs. They are kept so that scores agree.
bool is_chinese(char32_t c) {
  static constexpr std::array<std::array<char32_t, 2>, 19> kRanges = {{{0x3400, 0x4DB5},
                                                                       {0x4E00, 0x9FBB},
                                                                       {0xF900, 0xFA2D},
                                                                       {0xFA30, 0xFA6A},
                                                                       {0xFA70, 0xFAD9},
                                                                       {0x2001, 0x2A6D},
                                                                       {0x2F81, 0x2FA1},
                                                                       {0xFF00, 0xFFEF},
                                                                       {0x2E80, 0x2EFF},
                                                                       {0x3000, 0x303F},
                                                                       {0x31C0, 0x31EF},
                                                                       {0x2F00, 0x2FDF},
                                                                       {0x2FF0, 0x2FFF},
                                                                       {0x3100, 0x312F},
                                                                       {0x31A0, 0x31BF},
                                                                       {0xFE10, 0xFE1F},
                                                                       {0xFE30, 0xFE4F},
                                                                       {0x2600, 0x27BF},
                                                                       {0x3200, 0x33FF}}};
  return std::any_of(kRanges.begin(), kRanges.end(),
                     [c](const auto& range) { return range[0] <= c && c <= range[1]; });
}

// Here the line has no spaces around it, so a final period is separated from a word but not
// from a number.
std::vector<std::string> tokenize_zh(std::string_view line) {
  std::u32string text = to_code_points(line);
  while (!text.empty() && is_space(text.back())) text.pop_back();
  size_t begin = 0;
  while (begin < text.size() && is_space(text[begin])) ++begin;
  return western(set_apart(text.substr(begin), is_chinese));
}

std::vector<std::string> tokenize_none(std::string_view line) {
  return utf8_words(to_code_points(line));
}

}  // namespace

const std::vector<MetricTokenizer>& metric_tokenizers() {
  static const std::vector<MetricTokenizer> table = {
      {"13a", "words and signs as WMT's mteval-v13a", true, tokenize_13a},
      {"intl", "Unicode punctuation and symbols apart, as mteval-v14", true, tokenize_intl},
      {"char", "every character", false, tokenize_char},
      {"zh", "every Chinese character, the rest as 13a", false, tokenize_zh},
      {"none", "at spaces only: the text is tokenised already", true, tokenize_none},
  };
  return table;
}

const MetricTokenizer& metric_tokenizer(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& tokenizer : metric_tokenizers()) {
    if (name == tokenizer.name) return tokenizer;
    names.emplace_back(tokenizer.name);
  }
  fail("unknown tokenizer '{}': there are {}", name, fmt::join(names, ", "));
}

}  // namespace heed
