// Alignment error rate against gold links (Och, Ney: "A systematic comparison of various
// statistical alignment models", Computational Linguistics 29(1), 2003, section 5).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/link.h"

namespace heed {

struct GoldLinks {
  Links sure;
  Links possible;  // includes the sure links
};

// Counts summed over sentences. A: the given links, S: sure gold links, P: possible gold
// links (including S).
struct AlignmentScore {
  int64_t links = 0;             // |A|
  int64_t sure = 0;              // |S|
  int64_t possible = 0;          // |P|
  int64_t matched_sure = 0;      // |A n S|
  int64_t matched_possible = 0;  // |A n P|

  double precision() const;  // |A n P| / |A|; 0 without links
  double recall() const;     // |A n S| / |S|; 0 without sure links
  double f1() const;         // harmonic mean of the two
  double aer() const;        // 1 - (|A n S| + |A n P|) / (|A| + |S|); 0 if both are empty
};

// Requires links.size() == gold.size(). A link past the end of a sentence counts as wrong and is
// not an error.
AlignmentScore score_alignment(const std::vector<Links>& links, const std::vector<GoldLinks>& gold);

// The line that reports a score, as "AER = 0.1500 precision = 0.9000 recall = 0.8000 F1 = 0.8471
// (links = 20 sure = 15 possible = 25)".
std::string aer_line(const AlignmentScore& score);

}  // namespace heed
