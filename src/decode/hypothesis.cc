#include "decode/hypothesis.h"

namespace heed {

SearchOptions search_options(const DecodeConfig& config) {
  SearchOptions options;
  options.beam = config.beam;
  options.ranking.form =
      config.length_penalty_form == "power" ? LengthPenalty::power : LengthPenalty::gnmt;
  options.ranking.length_penalty = config.length_penalty;
  options.ranking.word_reward = config.word_reward;
  options.ranking.coverage_penalty = config.coverage_penalty;
  options.constraints.max_length_ratio = config.max_length_ratio;
  options.constraints.max_length_extra = config.max_length_extra;
  options.constraints.max_length = config.max_length;
  options.constraints.min_length = config.min_length;
  options.constraints.min_length_ratio = config.min_length_ratio;
  options.constraints.block_ngram = config.block_ngram;
  return options;
}

}  // namespace heed
