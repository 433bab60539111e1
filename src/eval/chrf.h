// chrF (Popovic: "chrF: character n-gram F-score for automatic MT evaluation", WMT 2015) and chrF++
// (Popovic: "chrF++: words helping character n-grams", WMT 2017), equal to sacreBLEU 2.x with its
// defaults: character n-grams of 1 to 6 without white space, word n-grams of 1 to 0 (chrF) or 2
// (chrF++), beta 2, orders that one side doesn't have left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heed {

constexpr size_t kChrfCharacterOrder = 6;

// Statistics: for each order, characters first, the n-grams of the hypothesis (0 where the
// reference has none of that order), those of the reference, and those in both, clipped.
constexpr size_t chrf_size(size_t word_order) { return 3 * (kChrfCharacterOrder + word_order); }

// One sentence against the reference (of at least one) that gives the greatest F, the first at a
// tie. Words are parted by white space; of one with more than one character a final ASCII
// punctuation mark is set apart, else a leading one.
std::vector<double> count_chrf(const std::string& hypothesis,
                               const std::vector<std::string>& references, size_t word_order,
                               bool lowercase);

struct ChrfScore {
  double f = 0.0;          // 0 to 100
  double precision = 0.0;  // 0 to 100, mean over the orders that both sides have
  double recall = 0.0;
};

// F = (1 + beta^2) P R / (beta^2 P + R) of the mean precision and recall (section 2 of the paper of
// 2015); 0 where both are 0.
ChrfScore chrf_score(const std::vector<double>& statistics);

// "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:heed-0.1.0".
std::string chrf_signature(size_t references, size_t word_order, bool lowercase);

// "(P = 61.2 R = 58.9)".
std::string chrf_details(const ChrfScore& score);

}  // namespace heed
