// A lexicon of subwords learnt from parallel text: p(target piece | source piece) by IBM Model 1
// (Brown et al. 1993, section 4.1 and appendix B), which ignores the order of words.
#pragma once

#include <cstdint>
#include <vector>

#include "text/corpus.h"

namespace heed {

// A source piece that is in no text but is added to every sentence: target pieces that translate
// nothing are aligned with it (the NULL word of the paper).
inline constexpr TokenId kNullSource = kStart;

// The translations of one source piece: the target pieces that occur in a pair with it, ascending,
// and their probabilities, which sum to 1.
struct LexiconRow {
  std::vector<TokenId> targets;
  std::vector<double> probabilities;
};

struct LexiconOptions {
  int iterations = 5;
  bool null = true;  // add kNullSource to every sentence
};

// Expectation maximisation from a uniform start:
//   c(t | s) = sum over pairs, over the tokens t and s in them, of p(t | s) / sum_i p(t | s_i);
//   p(t | s) = c(t | s) / sum_t c(t | s).
// Gives one row per source id; an id that is in no pair has an empty row. The result has the
// same bits for any number of threads. Memory besides the corpus: 12 bytes per two pieces that
// occur in one pair, 8 per target token, 4 per source token and 4 per pair. Requires ids below
// the two sizes.
std::vector<LexiconRow> train_lexicon(const Corpus& corpus, int64_t source_size,
                                      int64_t target_size, const LexiconOptions& options);

}  // namespace heed
