// Translation edit rate (Snover, Dorr, Schwartz, Micciulla, Makhoul: "A study of translation edit
// rate with targeted human annotation", AMTA 2006), equal to sacreBLEU 2.x with its defaults: words
// are separated by white space and case is ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heed {

// The number of edits that turn the hypothesis into the reference: words inserted, deleted or
// substituted, and blocks of words moved. Words are given as integers, equal ones for equal words.
// Finding the best sequence of moves is intractable, so moves are chosen greedily (section 3 of the
// paper) with sacreBLEU's limits: a block has at most 10 words, it moves at most 50 words, at most
// 1000 moves are tried per sentence, and the edit distance uses a band of 25 words on either side
// of the diagonal. If the reference is empty, every word of the hypothesis is an edit.
int64_t count_edits(const std::vector<int>& hypothesis, const std::vector<int>& reference);

// Statistics: the fewest edits over the references (at least one), and the mean number of words
// of the references.
std::vector<double> count_ter(const std::string& hypothesis,
                              const std::vector<std::string>& references);

// 100 * edits / length (section 2). If the references have no words, 100, or 0 without edits.
double ter_score(const std::vector<double>& statistics);

// "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:heed-0.1.0".
std::string ter_signature(size_t references);

// "(edits = 12 ref_len = 24.0)".
std::string ter_details(const std::vector<double>& statistics);

}  // namespace heed
