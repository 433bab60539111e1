// Shortlists: the few target pieces that may translate a sentence, after a lexicon of pieces
// (L'Hostis et al. 2016; Jean et al. 2015, section 4.3, where they are called candidate lists).
//
// A lexicon file has lines "TARGET SOURCE PROBABILITY", parted by spaces, as Moses, fast_align and
// Marian know it. Plain or gzip.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "text/lexicon.h"
#include "text/vocabulary.h"

namespace heed {

// Target ids, ascending, each once. Begins with <unk>, <s> and </s>, so that these have the same
// place in every shortlist and a sentence can always end.
using Shortlist = std::vector<TokenId>;

// Writes the best `candidates` target pieces of each source piece (0: all), best first, as far as
// they have a probability that 7 decimals show; control pieces and kNullSource are left out. Not
// committed yet. Returns how many lines were written.
int64_t write_lexicon(Output& out, const std::vector<LexiconRow>& lexicon, const Vocabulary& source,
                      const Vocabulary& target, int64_t candidates);

struct ShortlistOptions {
  // Pieces of every shortlist: those with the largest sums of probabilities over the candidates of
  // all source pieces. (Measured: they hold more of what a search finds than the pieces that are
  // the most frequent in text.)
  int64_t frequent = 200;
  int64_t candidates = 50;  // the best of each source piece
};

// Makes shortlists. Any number of threads may ask.
class Shortlister {
 public:
  // Reads a lexicon file in pieces of the vocabularies. Pieces that they don't have are counted and
  // told in one warning; the source NULL of other programs is passed over. Throws UserError with
  // file and line for a line that is no "TARGET SOURCE PROBABILITY"; with the file where no line
  // has known pieces.
  Shortlister(const std::string& path, const Vocabulary& source, const Vocabulary& target,
              const ShortlistOptions& options);

  // The candidates of each token, the frequent pieces, and, where both sides have the same
  // vocabulary, the tokens themselves: a name or a number may be copied.
  Shortlist of(std::span<const TokenId> source) const;

  // "lex.s2t: 7,312 source pieces, 214,003 candidates, 100 frequent pieces", for the log.
  const std::string& summary() const { return summary_; }

 private:
  std::vector<std::vector<TokenId>> candidates_;  // of each source id
  std::vector<TokenId> always_;
  size_t target_size_;
  bool copies_;
  std::string summary_;
};

}  // namespace heed
