// A lexicon of subwords learnt from parallel text: p(target piece | source piece) by IBM Model 1
// (Brown et al. 1993, section 4.1 and appendix B), which knows nothing of the order of a sentence.
#pragma once

#include <cstdint>
#include <vector>

#include "text/corpus.h"

namespace heed {

// The source piece that stands in no text and in every sentence: what a target piece comes from
// that translates nothing.
inline constexpr TokenId kNullSource = kStart;

// What one source piece becomes: the target pieces that stand opposite it somewhere, ascending, and
// their probabilities, which sum to 1.
struct LexiconRow {
  std::vector<TokenId> targets;
  std::vector<double> probabilities;
};

struct LexiconOptions {
  int iterations = 5;
  bool null = true;  // with kNullSource in every sentence
};

// Expectation maximisation from a uniform start:
//   c(t | s) = sum over pairs, over the tokens t and s in them, of p(t | s) / sum_i p(t | s_i);
//   p(t | s) = c(t | s) / sum_t c(t | s).
// Gives a row for each source id; an id that stands in no pair has an empty one. The same bits for
// any number of threads. Memory: 12 bytes for each two pieces that stand opposite each other
// somewhere, 8 for each target token, 4 for each source token and 4 for each pair, besides the
// corpus. Requires ids below the two sizes.
std::vector<LexiconRow> train_lexicon(const Corpus& corpus, int64_t source_size,
                                      int64_t target_size, const LexiconOptions& options);

}  // namespace heed
