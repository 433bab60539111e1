// What a search gives, and what it is told.
#pragma once

#include <cstdint>
#include <vector>

#include "config/config.h"
#include "text/shortlist.h"
#include "text/vocabulary.h"

namespace heed {

// One translation of one sentence.
struct Hypothesis {
  std::vector<TokenId> ids;  // without </s>
  // Natural log, </s> counted: what forced decoding of `ids` gives, unless a shortlist was
  // searched, over which it is normalised.
  double log_probability = 0;
  double score = 0;      // normalised_score of it: hypotheses are ranked by this
  bool finished = true;  // false: </s> was put because the length limit was reached
  // A row a token of `ids` and one for </s>, a column a source token and one for </s>; each row
  // sums to 1. Empty unless asked for, for a model without attention, and for an empty source.
  std::vector<std::vector<float>> attention;
};

struct SearchOptions {
  int64_t beam = 5;             // 1: greedy
  int64_t nbest = 1;            // hypotheses a sentence, at most `beam`
  double length_penalty = 0.6;  // alpha below, >= 0
  // At most floor(max_length_ratio * n) + max_length_extra tokens for a source of n, </s> not
  // counted.
  double max_length_ratio = 3.0;
  int64_t max_length_extra = 10;
  bool attention = false;  // keep the attention of the best hypothesis
  // Makes the tokens that may translate a sentence; null: all tokens. Not owned.
  const Shortlister* shortlister = nullptr;
};

// The options that a config's decode section asks for.
SearchOptions search_options(const DecodeConfig& config);

// log p / ((5 + length) / 6)^alpha, length in tokens with </s> (Wu et al. 2016, eq. 14).
double normalised_score(double log_probability, int64_t length, double alpha);

// The most tokens, </s> not counted, of a translation of `source_tokens` tokens, </s> not counted.
int64_t length_limit(const SearchOptions& options, int64_t source_tokens);

}  // namespace heed
