// What a translation must be and must not be.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

// Lengths in tokens, </s> not counted, for a source of n tokens.
struct ConstraintOptions {
  // At most floor(max_length_ratio * n) + max_length_extra, and at most max_length where it is not
  // 0.
  double max_length_ratio = 3.0;
  int64_t max_length_extra = 10;
  int64_t max_length = 0;
  // At least the greater of min_length and floor(min_length_ratio * n), but not more than the most.
  int64_t min_length = 0;
  double min_length_ratio = 0;
  int64_t block_ngram = 0;  // no sequence of so many tokens twice; 0: no such rule
  bool unknown = false;     // <unk> may be produced
};

// The constraints of one sentence.
class Constraints {
 public:
  // A translation begins with `prefix`, whatever else holds for it; the most tokens are at least
  // its size.
  Constraints(const ConstraintOptions& options, int64_t source_tokens,
              std::vector<TokenId> prefix = {});

  int64_t most() const { return most_; }
  int64_t least() const { return least_; }
  // The only token that may follow `length` tokens: one of the prefix, or </s> at the most tokens.
  std::optional<TokenId> only(int64_t length) const;
  // Which tokens may not follow `length` tokens, in ascending order: <unk>, <s>, and </s> where it
  // is too early.
  void exclude(int64_t length, std::vector<TokenId>& out) const;
  bool blocks_ngrams() const { return options_.block_ngram > 0; }
  // Adds those that would end an n-gram which these tokens have already, in ascending order.
  void exclude_repeated(std::span<const TokenId> tokens, std::vector<TokenId>& out) const;

 private:
  ConstraintOptions options_;
  std::vector<TokenId> prefix_;
  int64_t most_, least_;
};

}  // namespace heed
