// Translation edit rate (Snover, Dorr, Schwartz, Micciulla, Makhoul: "A study of translation edit
// rate with targeted human annotation", AMTA 2006), equal to sacreBLEU 2.x with its defaults: words
// are what white space parts, without regard to case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heed {

// Edits that turn the hypothesis into the reference: words inserted, left out or replaced, and
// blocks of words moved. Words are numbers here; equal words have equal numbers. The best sequence
// of moves is not known to be computable in good time, so the moves are found greedily (section 3
// of the paper) with the limits of sacreBLEU: a block is at most 10 words, is found in the
// reference at most 50 words away, at most 1000 moves are tried for a sentence, and edit distance
// looks at most 25 words aside of the diagonal. An empty reference costs every word of the
// hypothesis.
int64_t count_edits(const std::vector<int>& hypothesis, const std::vector<int>& reference);

// Statistics: the fewest edits over the references (at least one), and their mean length in words.
std::vector<double> count_ter(const std::string& hypothesis,
                              const std::vector<std::string>& references);

// 100 * edits / length (section 2). Without a word in the references 100, or 0 without an edit.
double ter_score(const std::vector<double>& statistics);

// "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:heed-0.1.0".
std::string ter_signature(size_t references);

// "(edits = 12 ref_len = 24.0)".
std::string ter_details(const std::vector<double>& statistics);

}  // namespace heed
