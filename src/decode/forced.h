// Forced decoding: the log-probability and the attention of given translations under one
// model or several.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "decode/ensemble.h"
#include "decode/hypothesis.h"
#include "decode/token_line.h"
#include "text/line_pairs.h"

namespace heed {

struct ForcedOptions {
  int64_t batch_tokens = DecodeConfig().batch_tokens;  // padded tokens a batch, of the longer side
  bool attention = false;
};

// Pair i is (sources[i], targets[i]), without </s>. Result i is its hypothesis: ids,
// log-probability (its score as well) and, if asked for, attention. A pair of two empty sides has
// log-probability 0 by definition and no attention.
std::vector<Hypothesis> force_batchwise(const Ensemble& models,
                                        std::span<const std::vector<TokenId>> sources,
                                        std::span<const std::vector<TokenId>> targets,
                                        const ForcedOptions& options);

struct ForcedLine {
  int64_t id = 0;  // number of its line, from 0
  TokenLine source, target;
  Hypothesis hypothesis;
};

struct ForcedCounts {
  int64_t pairs = 0;
  int64_t empty = 0;      // with at least one empty side
  int64_t truncated = 0;  // sides longer than kMaxSourceTokens or kMaxTargetTokens, which were cut
  std::string summary() const;  // "12 pairs, 1 with an empty side, 0 sides truncated"
};

// Models that score as one, with their vocabularies. Nothing is owned.
struct Direction {
  Ensemble models;
  const Vocabulary& source;
  const Vocabulary& target;
};

// Forces all pairs of a text and gives them to `sink` in order. Throws UserError as LinePairs does.
ForcedCounts force_lines(const Direction& forward, const TextFiles& files,
                         const ForcedOptions& options,
                         const std::function<void(const ForcedLine&)>& sink);

// The same in both directions. `backward` translates the target into the source: the source of its
// lines is the target side of the text.
ForcedCounts force_lines_both(
    const Direction& forward, const Direction& backward, const TextFiles& files,
    const ForcedOptions& options,
    const std::function<void(const ForcedLine& forward, const ForcedLine& backward)>& sink);

}  // namespace heed
