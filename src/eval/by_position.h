// Recall of the reference's words by their position in the sentence: does a translation lose its
// beginning or its end?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eval/words.h"

namespace heed {

// The words whose centre is in one part of their sentence. The beginning is 0 %, the end 100 %.
struct PositionPart {
  int64_t from = 0, to = 0;  // percent of the sentence
  int64_t words = 0;         // of the references
  double found = 0;          // number of them in the hypotheses

  std::string name() const;              // "20-40 %"
  std::optional<double> recall() const;  // 100 found / words; nullopt without words
};

// Splits sentences into five equal parts: word i of n, counted from 0, belongs to part floor(5 (i
// + 1/2) / n). A word that occurs r times in the reference and h times in the hypothesis counts
// min(r, h) / r at each of its positions, so the total equals that of clipped matching. Requires a
// reference for each hypothesis.
std::vector<PositionPart> words_by_position(const std::vector<Words>& hypotheses,
                                            const std::vector<Words>& references);

// "nrefs:1|case:mixed|tok:13a|parts:5|version:heed-0.1.0".
std::string position_signature(const MetricOptions& options);

}  // namespace heed
