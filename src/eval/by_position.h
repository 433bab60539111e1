// Words of the reference by where in it they stand: what does a translation lose, its beginning or
// its end?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eval/words.h"

namespace heed {

// Words whose middle lies in one part of their sentence, from its beginning (0 %) to its end.
struct PositionPart {
  int64_t from = 0, to = 0;  // percent of the sentence
  int64_t words = 0;         // of the references
  double found = 0;          // in the hypotheses

  std::string name() const;              // "20-40 %"
  std::optional<double> recall() const;  // 100 found / words; nothing without words
};

// Five parts of the same length: word i of n, counted from 0, belongs to part floor(5 (i + 1/2) /
// n). A word that the reference has r times and the hypothesis h times counts min(r, h) / r in each
// of its places, so that the found words are those of clipped matching. Requires a reference for
// each hypothesis.
std::vector<PositionPart> words_by_position(const std::vector<Words>& hypotheses,
                                            const std::vector<Words>& references);

// "nrefs:1|case:mixed|tok:13a|parts:5|version:heed-0.1.0".
std::string position_signature(const MetricOptions& options);

}  // namespace heed
