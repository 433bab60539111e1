// Search against trying everything: for a vocabulary of three words and up to four of them, a wide
// beam finds what ranking all 121 translations finds, under every penalty and constraint, with one
// model and with several.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "decode/forced.h"
#include "decode/random_model.h"
#include "decode/search.h"
#include "support/source_batch.h"

namespace heed {
namespace {

using Ids = std::vector<TokenId>;
constexpr int64_t kVocabulary = 6, kLongest = 4;
constexpr size_t kCompared = 12;

struct Setting {
  std::string name;
  std::function<void(SearchOptions&)> set;
  Ids prefix;
};

std::vector<Setting> rankings() {
  std::vector<Setting> all;
  const auto add = [&all](const std::string& name, const Ranking& ranking) {
    all.push_back({name, [ranking](SearchOptions& o) { o.ranking = ranking; }, {}});
  };
  add("log p", {LengthPenalty::gnmt, 0, 0, 0});
  add("gnmt 0.6", {LengthPenalty::gnmt, 0.6, 0, 0});
  add("gnmt 1.5", {LengthPenalty::gnmt, 1.5, 0, 0});
  add("power 0.7", {LengthPenalty::power, 0.7, 0, 0});
  add("power 1", {LengthPenalty::power, 1, 0, 0});
  add("reward", {LengthPenalty::gnmt, 0, 1.3, 0});
  add("reward below 0", {LengthPenalty::power, 1, -0.4, 0});
  add("coverage", {LengthPenalty::gnmt, 0.6, 0, 0.8});
  add("all", {LengthPenalty::power, 0.5, 0.3, 1.7});
  return all;
}

std::vector<Setting> constraints() {
  std::vector<Setting> all;
  const auto add = [&all](const std::string& name, auto set, const Ids& prefix = {}) {
    all.push_back({name, [set](SearchOptions& o) { set(o.constraints); }, prefix});
  };
  add("none", [](ConstraintOptions&) {});
  add("at least 3", [](ConstraintOptions& c) { c.min_length = 3; });
  add("at least 0.7 of the source", [](ConstraintOptions& c) { c.min_length_ratio = 0.7; });
  add("at most 2", [](ConstraintOptions& c) { c.max_length = 2; });
  add("no word twice", [](ConstraintOptions& c) { c.block_ngram = 1; });
  add("no pair twice", [](ConstraintOptions& c) { c.block_ngram = 2; });
  add("a prefix", [](ConstraintOptions&) {}, {4, 3});
  add("a prefix, at least 3", [](ConstraintOptions& c) { c.min_length = 3; }, {5});
  return all;
}

bool repeats(const Ids& ids, int64_t n) {
  if (n == 0) return false;
  for (auto a = ids.begin(); ids.end() - a >= n; ++a)
    for (auto b = a + 1; ids.end() - b >= n; ++b)
      if (std::equal(a, a + n, b)) return true;
  return false;
}

bool allowed(const Ids& ids, const ConstraintOptions& c, const Ids& prefix, size_t source) {
  const auto length = std::ssize(ids);
  const auto least = std::max(
      c.min_length, static_cast<int64_t>(c.min_length_ratio * static_cast<double>(source)));
  if (length < std::min(least, kLongest) || (c.max_length > 0 && length > c.max_length))
    return false;
  if (repeats(ids, c.block_ngram)) return false;
  return length >= std::ssize(prefix) && std::equal(prefix.begin(), prefix.end(), ids.begin());
}

std::vector<Ids> all_targets() {
  std::vector<Ids> targets = {{}};
  for (size_t i = 0; i < targets.size(); ++i)
    for (TokenId id = 3; id < kVocabulary && std::ssize(targets[i]) < kLongest; ++id) {
      targets.push_back(targets[i]);
      targets.back().push_back(id);
    }
  return targets;
}

struct Team {
  std::string name;
  std::vector<std::unique_ptr<Model>> models;
  std::vector<double> weights;
  Mixture mixture = Mixture::probability;

  Ensemble ensemble() const {
    std::vector<Model*> all;
    for (const auto& model : models) all.push_back(model.get());
    return {all, weights, mixture};
  }
};

Team team(const std::string& name, const std::vector<double>& weights, Mixture mixture) {
  Team made{name, {}, weights, mixture};
  for (size_t i = 0; i < weights.size(); ++i)
    made.models.push_back(test::random_model(
        {.style = i % 2 ? "luong" : "bahdanau", .vocabulary = kVocabulary}, 5 + i));
  return made;
}

// Forced decoding by each model, put together number by number as the definitions say.
std::vector<Hypothesis> scored_by(const Team& team, const Ids& source, const Ranking& ranking) {
  const std::vector<Ids> targets = all_targets();
  const std::vector<Ids> sources(targets.size(), source);
  ForcedOptions options;
  options.attention = true;
  std::vector<std::vector<Hypothesis>> forced;
  double weights = 0;
  for (size_t m = 0; m < team.models.size(); ++m) {
    forced.push_back(force_batchwise(*team.models[m], sources, targets, options));
    weights += team.weights[m];
  }
  std::vector<Hypothesis> all;
  for (size_t i = 0; i < targets.size(); ++i) {
    Hypothesis mixed;
    mixed.ids = targets[i];
    const size_t steps = targets[i].size() + 1;
    std::vector<double> looked(source.size(), 0.0);
    for (size_t t = 0; t < steps; ++t) {
      double p = 0, log_p = 0;
      for (size_t m = 0; m < forced.size(); ++m) {
        const double share = team.weights[m] / weights;
        const double of_model = forced[m][i].token_log_probabilities[t];
        p += share * std::exp(of_model);
        log_p += share * of_model;
        for (size_t s = 0; s < source.size(); ++s)
          looked[s] += share * static_cast<double>(forced[m][i].attention[t][s]);
      }
      mixed.log_probability += team.mixture == Mixture::probability ? std::log(p) : log_p;
    }
    double covered = 0;
    for (const double sum : looked) covered += std::log(std::min(1.0, sum));
    const double n = static_cast<double>(steps);
    const double base = ranking.form == LengthPenalty::gnmt ? (5 + n) / 6 : n;
    mixed.score = mixed.log_probability / std::pow(base, ranking.length_penalty) +
                  ranking.word_reward * n + ranking.coverage_penalty * covered;
    all.push_back(mixed);
  }
  return all;
}

void compare(const Team& team, const Setting& ranking, const Setting& constraint) {
  SearchOptions options;
  options.beam = 200;
  options.constraints.max_length_ratio = 0;
  options.constraints.max_length_extra = kLongest;
  ranking.set(options);
  constraint.set(options);
  const auto sources = test::random_sentences(2, 5, kVocabulary);
  for (const Ids& source : sources) {
    auto all = scored_by(team, source, options.ranking);
    std::erase_if(all, [&](const Hypothesis& h) {
      return !allowed(h.ids, options.constraints, constraint.prefix, source.size());
    });
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    options.nbest = std::ssize(all);
    const std::vector<Request> requests = {{constraint.prefix, 0}};
    const auto found =
        search(team.ensemble(), make_source_batch(std::vector<Ids>{source}), options, requests)[0];
    const std::string name = team.name + ", " + ranking.name + ", " + constraint.name;
    ASSERT_EQ(found.size(), all.size()) << name;
    for (size_t i = 0; i < std::min(kCompared, all.size()); ++i) {
      EXPECT_EQ(found[i].ids, all[i].ids) << name << ", rank " << i;
      EXPECT_NEAR(found[i].log_probability, all[i].log_probability, 2e-4) << name;
      EXPECT_NEAR(found[i].score, all[i].score, 2e-4) << name;
    }
    // The end rule: where one is asked for, the search may stop early, but not before the best.
    options.nbest = 1;
    const auto first =
        search(team.ensemble(), make_source_batch(std::vector<Ids>{source}), options, requests)[0];
    EXPECT_EQ(first[0].ids, all[0].ids) << name;
  }
}

TEST(SearchOracle, EveryRankingOfEveryTeam) {
  std::vector<Team> teams;
  teams.push_back(team("one model", {1}, Mixture::probability));
  teams.push_back(team("mean of probabilities", {1, 1}, Mixture::probability));
  teams.push_back(team("weighted probabilities", {3, 1, 2}, Mixture::probability));
  teams.push_back(team("weighted logarithms", {1, 2.5}, Mixture::log_probability));
  for (const Team& one : teams)
    for (const Setting& ranking : rankings()) compare(one, ranking, constraints()[0]);
}

TEST(SearchOracle, EveryConstraintUnderEveryRanking) {
  const Team one = team("one model", {1}, Mixture::probability);
  for (const Setting& ranking : rankings())
    for (const Setting& constraint : constraints()) compare(one, ranking, constraint);
}

TEST(SearchOracle, EveryConstraintOfAnEnsemble) {
  const Team two = team("two models", {2, 1}, Mixture::probability);
  for (const Setting& constraint : constraints()) compare(two, rankings()[1], constraint);
}

// Three words, none of them twice, and at least four: after three nothing may come.
TEST(Search, EndsWhereNoTokenMayFollow) {
  const auto model = test::random_model({.vocabulary = kVocabulary});
  SearchOptions options;
  options.constraints.block_ngram = 1;
  options.constraints.min_length = 4;
  const auto found = search(*model, make_source_batch(std::vector<Ids>{{3, 4}}), options);
  EXPECT_EQ(found[0][0].ids.size(), 3U);
}

TEST(Search, TokenLogProbabilitiesSumToThatOfTheWhole) {
  const auto model = test::random_model({});
  const auto sources = test::random_sentences(10, 8, 12);
  SearchOptions options;
  options.nbest = 3;
  const auto found = search(*model, make_source_batch(sources), options);
  for (const auto& nbest : found)
    for (const Hypothesis& h : nbest) {
      ASSERT_EQ(h.token_log_probabilities.size(), h.ids.size() + 1);
      double sum = 0;
      for (const double log_p : h.token_log_probabilities) sum += log_p;
      EXPECT_NEAR(sum, h.log_probability, 1e-9);
    }
}

}  // namespace
}  // namespace heed
