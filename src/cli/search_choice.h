// The options of translate that say how it searches or draws.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options.h"
#include "decode/hypothesis.h"

namespace heed::cli {

// What is not given comes from the model's decode section.
struct SearchChoice {
  std::optional<int64_t> beam, nbest;
  std::optional<double> length_penalty, word_reward, coverage_penalty;
  std::optional<double> max_length_ratio, min_length_ratio;
  std::optional<int64_t> max_length, min_length, block_ngram;
  std::optional<double> temperature, top_p;
  std::optional<int64_t> top_k, seed;
  std::string length_penalty_form;  // "": that of the model
  bool sample = false;

  void declare(Options& options);
  // Throws UsageError for options that don't go together, UserError for values that don't.
  SearchOptions search(const DecodeConfig& config) const;
};

}  // namespace heed::cli
