#include "decode/hypothesis.h"

#include <algorithm>
#include <cmath>

namespace heed {

SearchOptions search_options(const DecodeConfig& config) {
  SearchOptions options;
  options.beam = config.beam;
  options.length_penalty = config.length_penalty;
  options.max_length_ratio = config.max_length_ratio;
  options.max_length_extra = config.max_length_extra;
  return options;
}

double normalised_score(double log_probability, int64_t length, double alpha) {
  return log_probability / std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
}

int64_t length_limit(const SearchOptions& options, int64_t source_tokens) {
  constexpr double kMost = 1e9;  // a ratio may be any number
  const double by_ratio = std::floor(options.max_length_ratio * static_cast<double>(source_tokens));
  return static_cast<int64_t>(std::min(kMost, by_ratio)) + options.max_length_extra;
}

}  // namespace heed
