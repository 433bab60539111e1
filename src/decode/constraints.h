// Limits on translations: lengths, a given prefix, excluded tokens, repetitions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "config/config.h"
#include "text/vocabulary.h"

namespace heed {

// Lengths in tokens, </s> not counted, for a source of n tokens.
struct ConstraintOptions {
  // At most floor(max_length_ratio * n) + max_length_extra, and at most max_length if that is > 0.
  double max_length_ratio = DecodeConfig().max_length_ratio;
  int64_t max_length_extra = DecodeConfig().max_length_extra;
  int64_t max_length = 0;
  // At least max(min_length, floor(min_length_ratio * n)), but not above the maximum.
  int64_t min_length = 0;
  double min_length_ratio = 0;
  int64_t block_ngram = 0;  // no sequence of this many tokens twice; 0: no such rule
  bool unknown = false;     // <unk> may be produced
};

// The constraints of one sentence.
class Constraints {
 public:
  // Translations begin with `prefix`, regardless of the other rules; the maximum length is at least
  // the size of the prefix.
  Constraints(const ConstraintOptions& options, int64_t source_tokens,
              std::vector<TokenId> prefix = {});

  int64_t most() const { return most_; }
  int64_t least() const { return least_; }
  // The only token that may follow `length` tokens, if there is one: one of the prefix, or </s> at
  // the maximum length.
  std::optional<TokenId> only(int64_t length) const;
  // The tokens that may not follow `length` tokens, in ascending order: <unk>, <s>, and </s> below
  // the minimum length.
  void exclude(int64_t length, std::vector<TokenId>& out) const;
  bool blocks_ngrams() const { return options_.block_ngram > 0; }
  // Adds the tokens that would complete an n-gram for the second time, in ascending order.
  void exclude_repeated(std::span<const TokenId> tokens, std::vector<TokenId>& out) const;

 private:
  ConstraintOptions options_;
  std::vector<TokenId> prefix_;
  int64_t most_, least_;
};

}  // namespace heed
