#include "cli/search_choice.h"

#include <limits>

#include "base/error.h"

namespace heed::cli {
namespace {

constexpr int64_t kMostHypotheses = 1000;  // as decode.beam
constexpr double kMostLengthPenalty = 20;  // as decode.length_penalty
constexpr double kAnyNumber = std::numeric_limits<double>::lowest();

void declare_score(Options& options, SearchChoice& chosen) {
  options
      .number("length-penalty", chosen.length_penalty, 0,
              "the exponent of the length penalty; 0: none (default: the model's "
              "decode.length_penalty)",
              kMostLengthPenalty)
      .choice("length-penalty-form", chosen.length_penalty_form, {"gnmt", "power"},
              "gnmt: ((5 + length) / 6)^EXPONENT; power: length^EXPONENT (default: the model's)")
      .number("word-reward", chosen.word_reward, kAnyNumber,
              "added to the score for each token (default: the model's decode.word_reward)")
      .number("coverage-penalty", chosen.coverage_penalty, 0,
              "this times the sum over source tokens of log min(1, attention they got) is added to "
              "the score (default: the model's decode.coverage_penalty)");
}

void declare_lengths(Options& options, SearchChoice& chosen) {
  options
      .number("max-length-ratio", chosen.max_length_ratio, 0,
              "longest translation: this times the source tokens, plus the model's "
              "decode.max_length_extra (default: the model's decode.max_length_ratio)")
      .integer("max-length", chosen.max_length, 0,
               "longest translation in tokens, whatever the source; 0: no such limit (default: the "
               "model's decode.max_length)")
      .number("min-length-ratio", chosen.min_length_ratio, 0,
              "shortest translation: this times the source tokens (default: the model's "
              "decode.min_length_ratio)")
      .integer("min-length", chosen.min_length, 0,
               "shortest translation in tokens (default: the model's decode.min_length)")
      .integer("block-ngram", chosen.block_ngram, 0,
               "no sequence of so many tokens twice in a translation; 0: it may (default: the "
               "model's decode.block_ngram)");
}

void declare_sampling(Options& options, SearchChoice& chosen) {
  options
      .flag("sample", chosen.sample,
            "draw each token from the model's distribution instead of searching; --nbest N draws N "
            "translations. The draws of a line depend on --seed and its text alone")
      .number("temperature", chosen.temperature, 0,
              "--sample: below 1 likely tokens become likelier, above 1 less so (default: 1)")
      .integer("top-k", chosen.top_k, 0,
               "--sample: only the so many most likely tokens; 0: all (default: 0)")
      .number("top-p", chosen.top_p, 0,
              "--sample: only the fewest tokens that have this probability together (default: 1)")
      .integer("seed", chosen.seed, 0, "--sample: of the draws (default: 1)");
}

Sampling sampling_of(const SearchChoice& chosen) {
  Sampling sampling;
  sampling.temperature = chosen.temperature.value_or(1);
  sampling.top_k = chosen.top_k.value_or(0);
  sampling.top_p = chosen.top_p.value_or(1);
  sampling.seed = static_cast<uint64_t>(chosen.seed.value_or(1));
  constexpr double kColdest = 1e-3;  // colder is greedy search, and exp of it may be infinite
  if (sampling.temperature < kColdest)
    fail("--temperature {} is too low: use at least {}, or --beam 1 without --sample",
         sampling.temperature, kColdest);
  if (sampling.top_p <= 0 || sampling.top_p > 1)
    fail("--top-p {} is not allowed: it must be > 0 and <= 1", sampling.top_p);
  return sampling;
}

void check_sampling(const SearchChoice& chosen) {
  const auto need = [&chosen](const char* option, bool given) {
    if (given && !chosen.sample) throw UsageError(fmt::format("{} needs --sample", option));
  };
  need("--temperature", chosen.temperature.has_value());
  need("--top-k", chosen.top_k.has_value());
  need("--top-p", chosen.top_p.has_value());
  need("--seed", chosen.seed.has_value());
  if (chosen.sample && chosen.beam)
    throw UsageError("--sample draws and does not search: leave out --beam (--nbest N draws N)");
}

}  // namespace

void SearchChoice::declare(Options& options) {
  options
      .integer("beam", beam, 1,
               "hypotheses kept while searching; 1: greedy (default: the model's decode.beam)",
               kMostHypotheses)
      .integer("nbest", nbest, 1, "translations of each line, best first", kMostHypotheses);
  declare_score(options, *this);
  declare_lengths(options, *this);
  declare_sampling(options, *this);
}

SearchOptions SearchChoice::search(const DecodeConfig& config) const {
  check_sampling(*this);
  SearchOptions search = search_options(config);
  search.beam = beam.value_or(search.beam);
  search.nbest = nbest.value_or(1);
  if (!length_penalty_form.empty())
    search.ranking.form =
        length_penalty_form == "power" ? LengthPenalty::power : LengthPenalty::gnmt;
  const auto take = [](auto& value, const auto& given) { value = given.value_or(value); };
  take(search.ranking.length_penalty, length_penalty);
  take(search.ranking.word_reward, word_reward);
  take(search.ranking.coverage_penalty, coverage_penalty);
  take(search.constraints.max_length_ratio, max_length_ratio);
  take(search.constraints.max_length, max_length);
  take(search.constraints.min_length_ratio, min_length_ratio);
  take(search.constraints.min_length, min_length);
  take(search.constraints.block_ngram, block_ngram);
  const ConstraintOptions& bounds = search.constraints;
  if (bounds.max_length > 0 && bounds.min_length > bounds.max_length)
    fail("--min-length {} is above --max-length {}: no translation can have both",
         bounds.min_length, bounds.max_length);
  if (sample) {
    search.sampling = sampling_of(*this);
    search.beam = search.nbest;
  }
  if (search.nbest > search.beam)
    fail("--nbest {} needs a --beam of at least {}; it is {}", search.nbest, search.nbest,
         search.beam);
  return search;
}

}  // namespace heed::cli
