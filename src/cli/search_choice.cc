#include "cli/search_choice.h"

#include "base/error.h"
#include "config/find_key.h"

namespace heed::cli {
namespace {

constexpr double kLowestTemperature = 1e-3;  // below, exp(log p / temperature) may overflow

}  // namespace

void SearchChoice::declare(Options& options) {
  options
      .integer("nbest", nbest, find_key("decode.beam")->range,
               "translations of each line, best first")
      .flag("sample", sample,
            "draw each token from the model's distribution; --nbest N draws N translations, which "
            "depend only on --seed and the line's text")
      .number("temperature", sampling.temperature, schema::at_least(kLowestTemperature),
              "--sample: below 1 favours likely tokens, above 1 unlikely ones")
      .integer("top-k", sampling.top_k, schema::at_least(0),
               "--sample: draw from the N most likely tokens only; 0: from all")
      .number("top-p", sampling.top_p, schema::above_to(0, 1),
              "--sample: draw from the fewest tokens of this total probability")
      .integer("seed", seed, schema::at_least(0), "--sample: seed of the draws");
  for (const char* key : {"decode.beam", "decode.length_penalty", "decode.length_penalty_form",
                          "decode.word_reward", "decode.coverage_penalty",
                          "decode.max_length_ratio", "decode.max_length", "decode.min_length_ratio",
                          "decode.min_length", "decode.block_ngram", "decode.batch_tokens"})
    options.decode_key(key, keys);
}

void SearchChoice::check(const Options& options) const {
  for (const char* name : {"temperature", "top-k", "top-p", "seed"})
    if (options.given(name) && !sample) throw UsageError(fmt::format("--{} needs --sample", name));
  if (sample && options.given("beam"))
    throw UsageError("--sample draws and does not search: leave out --beam (--nbest N draws N)");
}

DecodeConfig SearchChoice::decode(const DecodeConfig& model) const {
  return with_keys(model, keys);
}

SearchOptions SearchChoice::search(const DecodeConfig& model) const {
  SearchOptions search = search_options(decode(model));
  search.nbest = nbest.value_or(search.nbest);
  const ConstraintOptions& bounds = search.constraints;
  if (bounds.max_length > 0 && bounds.min_length > bounds.max_length)
    fail("--min-length {} is above --max-length {}: no translation can have both",
         bounds.min_length, bounds.max_length);
  if (sample) {
    search.sampling = sampling;
    search.sampling->seed = static_cast<uint64_t>(seed);
    search.beam = search.nbest;
  }
  if (search.nbest > search.beam)
    fail("--nbest {} needs a --beam of at least {}; it is {}", search.nbest, search.nbest,
         search.beam);
  return search;
}

}  // namespace heed::cli
