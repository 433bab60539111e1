// The options of translate and serve for searching and sampling.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/decoding.h"
#include "decode/hypothesis.h"

namespace heed::cli {

struct SearchChoice {
  KeyValues keys;                // given options of the decode section; the model has the others
  std::optional<int64_t> nbest;  // 1 if not given
  bool sample = false;
  Sampling sampling;
  int64_t seed = static_cast<int64_t>(sampling.seed);

  void declare(Options& options);
  // After parsing. Throws UsageError for options that exclude each other.
  void check(const Options& options) const;
  // The model's settings with the given options over them.
  DecodeConfig decode(const DecodeConfig& model) const;
  // Throws UserError for values that contradict each other.
  SearchOptions search(const DecodeConfig& model) const;
};

}  // namespace heed::cli
