// What a search gives, and what it is told.
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
  // Natural log, </s> counted: what forced decoding of `ids` gives, unless a shortlist was
  // searched, over which it is normalised.
  double log_probability = 0;
  double score = 0;      // what hypotheses are ranked by (Ranking)
  bool finished = true;  // false: </s> was put because the length limit was reached
  // Of each token of `ids` and of </s>, given those before it; their sum is log_probability. Empty
  // for an empty source.
  std::vector<double> token_log_probabilities;
  // A row a token of `ids` and one for </s>, a column a source token and one for </s>; each row
  // sums to 1. Empty unless asked for, for a model without attention, and for an empty source.
  std::vector<std::vector<float>> attention;
};

// Draws in the place of a search: each token from the distribution of the model.
struct Sampling {
  double temperature = 1;  // log p is divided by it, > 0
  int64_t top_k = 0;       // only the k most probable tokens; 0: all
  double top_p = 1;        // only the fewest tokens whose probabilities sum to this, > 0
  uint64_t seed = 1;
};

struct SearchOptions {
  int64_t beam = 5;   // 1: greedy
  int64_t nbest = 1;  // hypotheses a sentence, at most `beam`
  Ranking ranking;
  ConstraintOptions constraints;
  // nbest draws a sentence, best first; `beam` has no say. What is drawn depends on the seed and
  // the sentence alone.
  std::optional<Sampling> sampling;
  bool attention = false;         // keep the attention of the best hypothesis
  bool attention_of_all = false;  // and of the others
  // Makes the tokens that may translate a sentence; null: all tokens. Not owned.
  const Shortlister* shortlister = nullptr;

  // Whether the search itself needs to see attention.
  bool needs_attention() const { return attention || ranking.coverage_penalty > 0; }
};

// The options that a config's decode section asks for.
SearchOptions search_options(const DecodeConfig& config);

}  // namespace heed
