// Shortlists: the few target pieces that may translate a sentence according to a lexicon of pieces
// (L'Hostis et al. 2016; Jean et al. 2015, section 4.3, where they are called candidate lists).
//
// A lexicon file has lines "TARGET SOURCE PROBABILITY", separated by spaces, the format of Moses,
// fast_align and Marian. Plain or gzip.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "text/lexicon.h"
#include "text/vocabulary.h"

namespace heed {

// Target ids, ascending, without repetition. The first are <unk>, <s> and </s>, so that these have
// the same index in every shortlist and a sentence can always end.
using Shortlist = std::vector<TokenId>;

// Writes the best `candidates` target pieces of each source piece (0: all), best first. Those whose
// probability is 0 at 7 decimals, control pieces and kNullSource are left out. The caller commits
// the file. Returns how many lines were written.
int64_t write_lexicon(Output& out, const std::vector<LexiconRow>& lexicon, const Vocabulary& source,
                      const Vocabulary& target, int64_t candidates);

struct ShortlistOptions {
  // How many pieces are in every shortlist: those with the largest sums of probabilities over the
  // candidates of all source pieces. (Measured: they cover more of what a search finds than the
  // most frequent pieces of the text.)
  int64_t frequent = 200;
  int64_t candidates = 50;  // at most, of each source piece
};

// Makes shortlists. Any number of threads may call it.
class Shortlister {
 public:
  // Reads a lexicon file in pieces of the vocabularies. One warning reports how many lines
  // have other pieces; the source NULL of other programs is skipped. Throws UserError with
  // file and line for a line that is not "TARGET SOURCE PROBABILITY", and with the file if no
  // line has known pieces.
  Shortlister(const std::string& path, const Vocabulary& source, const Vocabulary& target,
              const ShortlistOptions& options);

  // The candidates of each token, the frequent pieces, and, if both sides have the same vocabulary,
  // the tokens themselves, since a name or a number may be copied.
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
