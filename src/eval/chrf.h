// chrF (Popovic: "chrF: character n-gram F-score for automatic MT evaluation", WMT 2015) and chrF++
// (Popovic: "chrF++: words helping character n-grams", WMT 2017), equal to sacreBLEU 2.x with its
// defaults: character n-grams of 1 to 6 without white space, no word n-grams (chrF) or those of 1
// to 2 (chrF++), beta 2. Orders that one side does not have are left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heed {

constexpr size_t kChrfCharacterOrder = 6;

// Statistics of each order, characters first: the number of n-grams of the hypothesis (0 if the
// reference has none of that order), of the reference, and of both, clipped.
constexpr size_t chrf_size(size_t word_order) { return 3 * (kChrfCharacterOrder + word_order); }

// Counts one sentence against the reference (of at least one) that gives the greatest F, the first
// one at a tie. Words are separated by white space. If a word has more than one character, an ASCII
// punctuation mark at its end, else one at its beginning, is a word of its own.
std::vector<double> count_chrf(const std::string& hypothesis,
                               const std::vector<std::string>& references, size_t word_order,
                               bool lowercase);

struct ChrfScore {
  double f = 0.0;          // 0 to 100
  double precision = 0.0;  // 0 to 100, mean over the orders that both sides have
  double recall = 0.0;
};

// F = (1 + beta^2) P R / (beta^2 P + R) of the mean precision and recall (section 2 of the 2015
// paper); 0 if both are 0.
ChrfScore chrf_score(const std::vector<double>& statistics);

// "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:heed-0.1.0".
std::string chrf_signature(size_t references, size_t word_order, bool lowercase);

// "(P = 61.2 R = 58.9)".
std::string chrf_details(const ChrfScore& score);

}  // namespace heed
