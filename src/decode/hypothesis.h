// The result of a search (Hypothesis) and its settings (SearchOptions).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/config.h"
#include "decode/constraints.h"
#include "decode/ranking.h"
#include "text/shortlist.h"
#include "text/vocabulary.h"

namespace heed {

// One translation of one sentence.
struct Hypothesis {
  std::vector<TokenId> ids;  // without </s>
  // Natural logarithm, </s> counted: that of forced decoding of `ids`, unless the search had a
  // shortlist, over which probabilities are then normalised.
  double log_probability = 0;
  double score = 0;      // by which hypotheses are ranked (Ranking)
  bool finished = true;  // false: cut by </s> at the length limit
  // Of each token of `ids` and of </s>, given the preceding ones; their sum is log_probability.
  // Empty for an empty source.
  std::vector<double> token_log_probabilities;
  // A row per token of `ids` and one for </s>, a column per source token and one for </s>; each row
  // sums to 1. Empty if not requested, for a model without attention, and for an empty source.
  std::vector<std::vector<float>> attention;
};

// Sampling instead of a search: each token is drawn from the distribution of the model.
struct Sampling {
  double temperature = 1;  // log p is divided by it, > 0
  int64_t top_k = 0;       // draw from the k most probable tokens; 0: from all
  double top_p = 1;        // draw from the fewest tokens with this total probability, > 0
  uint64_t seed = 1;
};

struct SearchOptions {
  int64_t beam = DecodeConfig().beam;  // 1: greedy
  int64_t nbest = 1;                   // hypotheses per sentence, at most `beam`
  Ranking ranking;
  ConstraintOptions constraints;
  // nbest draws per sentence, best first; `beam` has no effect. The draws depend only on the seed
  // and the sentence.
  std::optional<Sampling> sampling;
  bool attention = false;         // keep the attention of the best hypothesis
  bool attention_of_all = false;  // and of the others
  // Gives the tokens that may translate a sentence; null: all tokens. Not owned.
  const Shortlister* shortlister = nullptr;

  // Whether the search itself needs to see attention.
  bool needs_attention() const { return attention || ranking.coverage_penalty > 0; }
};

// The options of a config's decode section.
SearchOptions search_options(const DecodeConfig& config);

}  // namespace heed
