#include "eval/chrf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "eval/unicode.h"

namespace heed {
namespace {

constexpr double kBetaSquared = 4.0;

// The n-grams of one order. The keys of characters point into the text they come from.
using CharacterCounts = std::unordered_map<std::u32string_view, int64_t>;
using WordCounts = std::unordered_map<std::u32string, int64_t>;

struct Ngrams {
  std::u32string characters;
  std::vector<std::u32string> words;
};

bool is_ascii_punctuation(char32_t c) {
  return (c >= U'!' && c <= U'/') || (c >= U':' && c <= U'@') || (c >= U'[' && c <= U'`') ||
         (c >= U'{' && c <= U'~');
}

void add_word(std::vector<std::u32string>& words, const std::u32string& word) {
  if (word.size() > 1 && is_ascii_punctuation(word.back())) {
    words.push_back(word.substr(0, word.size() - 1));
    words.push_back(word.substr(word.size() - 1));
  } else if (word.size() > 1 && is_ascii_punctuation(word.front())) {
    words.push_back(word.substr(0, 1));
    words.push_back(word.substr(1));
  } else {
    words.push_back(word);
  }
}

Ngrams read_line(const std::string& line, bool lower) {
  Ngrams result;
  for (const auto& word : split_at_spaces(to_code_points(lower ? lowercase(line) : line))) {
    result.characters += word;
    add_word(result.words, word);
  }
  return result;
}

CharacterCounts characters_of(const Ngrams& line, size_t n) {
  CharacterCounts counts;
  const std::u32string_view text = line.characters;
  for (size_t i = 0; i + n <= text.size(); ++i) ++counts[text.substr(i, n)];
  return counts;
}

WordCounts words_of(const Ngrams& line, size_t n) {
  WordCounts counts;
  for (size_t i = 0; i + n <= line.words.size(); ++i) {
    std::u32string joined = line.words[i];
    for (size_t k = 1; k < n; ++k) joined += U' ' + line.words[i + k];
    ++counts[joined];
  }
  return counts;
}

template <typename Counts>
void compare(const Counts& hypothesis, const Counts& reference, std::vector<double>& statistics) {
  int64_t given = 0;
  int64_t wanted = 0;
  int64_t both = 0;
  for (const auto& [ngram, count] : reference) wanted += count;
  for (const auto& [ngram, count] : hypothesis) {
    given += count;
    const auto found = reference.find(ngram);
    if (found != reference.end()) both += std::min(count, found->second);
  }
  for (const int64_t count : {wanted == 0 ? 0 : given, wanted, both}) {
    statistics.push_back(static_cast<double>(count));
  }
}

}  // namespace

std::vector<double> count_chrf(const std::string& hypothesis,
                               const std::vector<std::string>& references, size_t word_order,
                               bool lowercase) {
  check(!references.empty(), "[count_chrf] at least one reference. Received none");
  const Ngrams given = read_line(hypothesis, lowercase);
  std::vector<CharacterCounts> characters;
  std::vector<WordCounts> words;
  for (size_t n = 1; n <= kChrfCharacterOrder; ++n) characters.push_back(characters_of(given, n));
  for (size_t n = 1; n <= word_order; ++n) words.push_back(words_of(given, n));

  std::vector<double> best;
  double best_f = -1.0;
  for (const auto& reference : references) {
    const Ngrams wanted = read_line(reference, lowercase);
    std::vector<double> statistics;
    for (size_t n = 1; n <= kChrfCharacterOrder; ++n) {
      compare(characters[n - 1], characters_of(wanted, n), statistics);
    }
    for (size_t n = 1; n <= word_order; ++n) {
      compare(words[n - 1], words_of(wanted, n), statistics);
    }
    const double f = chrf_score(statistics).f;
    if (f > best_f) {
      best_f = f;
      best = statistics;
    }
  }
  return best;
}

ChrfScore chrf_score(const std::vector<double>& statistics) {
  ChrfScore score;
  double precision = 0.0;
  double recall = 0.0;
  int64_t orders = 0;
  for (size_t s = 0; s + 2 < statistics.size(); s += 3) {
    if (statistics[s] <= 0 || statistics[s + 1] <= 0) continue;
    precision += statistics[s + 2] / statistics[s];
    recall += statistics[s + 2] / statistics[s + 1];
    ++orders;
  }
  if (orders == 0 || precision + recall <= 0) return score;
  precision /= static_cast<double>(orders);
  recall /= static_cast<double>(orders);
  score.f = 100 * ((1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall));
  score.precision = 100 * precision;
  score.recall = 100 * recall;
  return score;
}

std::string chrf_signature(size_t references, size_t word_order, bool lowercase) {
  return fmt::format("nrefs:{}|case:{}|eff:yes|nc:{}|nw:{}|space:no|version:heed-{}", references,
                     lowercase ? "lc" : "mixed", kChrfCharacterOrder, word_order, HEED_VERSION);
}

std::string chrf_details(const ChrfScore& score) {
  return fmt::format("(P = {:.1f} R = {:.1f})", score.precision, score.recall);
}

}  // namespace heed
