// Forced decoding under several models, compared with the definitions applied to the results of
// each model alone, and with the search.
#include <gtest/gtest.h>

#include <cmath>

#include "decode/forced.h"
#include "decode/random_model.h"
#include "decode/translate.h"

namespace heed {
namespace {

using Ids = std::vector<TokenId>;
constexpr int64_t kVocabulary = 12;

struct Team {
  std::vector<std::unique_ptr<Model>> models;
  std::vector<double> weights;
  Mixture mixture;

  Ensemble ensemble() const {
    std::vector<Model*> all;
    for (const auto& model : models) all.push_back(model.get());
    return {all, weights, mixture};
  }
};

Team team(const std::vector<double>& weights, Mixture mixture, const std::string& last = "dot") {
  Team made{{}, weights, mixture};
  for (size_t i = 0; i < weights.size(); ++i)
    made.models.push_back(test::random_model({.style = i % 2 ? "luong" : "bahdanau",
                                              .cell = i % 2 ? "lstm" : "gru",
                                              .score = i + 1 == weights.size() ? last : "additive"},
                                             5 + i));
  return made;
}

ForcedOptions with_attention() {
  ForcedOptions options;
  options.attention = true;
  return options;
}

// log p of each token: log of the weighted mean of p, or the weighted mean of log p; attention: the
// weighted mean over the models that have any.
void expect_mean(const Team& team, const std::vector<Ids>& sources,
                 const std::vector<Ids>& targets) {
  const auto mixed = force_batchwise(team.ensemble(), sources, targets, with_attention());
  std::vector<std::vector<Hypothesis>> alone;
  double all = 0, looking = 0;
  for (size_t m = 0; m < team.models.size(); ++m) {
    alone.push_back(force_batchwise(*team.models[m], sources, targets, with_attention()));
    all += team.weights[m];
    if (team.models[m]->has_attention()) looking += team.weights[m];
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    double sum = 0;
    for (size_t t = 0; t <= targets[i].size(); ++t) {
      double p = 0, log_p = 0;
      std::vector<double> row(sources[i].size() + 1, 0.0);
      for (size_t m = 0; m < alone.size(); ++m) {
        const double of_model = alone[m][i].token_log_probabilities.at(t);
        p += team.weights[m] / all * std::exp(of_model);
        log_p += team.weights[m] / all * of_model;
        if (!team.models[m]->has_attention()) continue;
        for (size_t s = 0; s < row.size(); ++s)
          row[s] += team.weights[m] / looking * static_cast<double>(alone[m][i].attention[t][s]);
      }
      const double expected = team.mixture == Mixture::probability ? std::log(p) : log_p;
      EXPECT_NEAR(mixed[i].token_log_probabilities.at(t), expected, 1e-5) << i << ", " << t;
      sum += expected;
      if (looking == 0) continue;
      for (size_t s = 0; s < row.size(); ++s)
        EXPECT_NEAR(static_cast<double>(mixed[i].attention.at(t).at(s)), row[s], 1e-5);
    }
    EXPECT_NEAR(mixed[i].log_probability, sum, 1e-4);
    EXPECT_EQ(mixed[i].attention.empty(), looking == 0);
  }
}

TEST(ForcedEnsemble, IsThePlainMeanOfItsModels) {
  auto sources = test::random_sentences(20, 8, kVocabulary);
  auto targets = test::random_sentences(20, 8, kVocabulary, 11);
  sources[3].clear();
  targets[5].clear();
  for (const Mixture mixture : {Mixture::probability, Mixture::log_probability}) {
    expect_mean(team({1}, mixture), sources, targets);
    expect_mean(team({1, 1}, mixture), sources, targets);
    expect_mean(team({3, 1, 2}, mixture), sources, targets);
    expect_mean(team({1, 2}, mixture, "none"), sources, targets);
    expect_mean(team({2}, mixture, "none"), sources, targets);
  }
}

TEST(ForcedEnsemble, NoAttentionOfTheFirstModelLeavesThatOfTheOthers) {
  Team two = team({1, 2}, Mixture::probability, "none");
  std::swap(two.models[0], two.models[1]);
  expect_mean(two, test::random_sentences(9, 6, kVocabulary),
              test::random_sentences(9, 6, kVocabulary, 3));
}

TEST(ForcedEnsemble, TwoEmptySidesScoreZero) {
  const Team two = team({1, 1}, Mixture::probability);
  const auto forced = force_batchwise(two.ensemble(), std::vector<Ids>{{}, {3}},
                                      std::vector<Ids>{{}, {4}}, with_attention());
  EXPECT_EQ(forced[0].log_probability, 0);
  EXPECT_TRUE(forced[0].attention.empty());
  EXPECT_LT(forced[1].log_probability, 0);
}

TEST(ForcedEnsemble, GivesTheScoresOfEveryHypothesisOfTheSearch) {
  const auto sources = test::random_sentences(30, 8, kVocabulary);
  SearchOptions options;
  options.beam = options.nbest = 4;
  options.attention = options.attention_of_all = true;
  for (const Mixture mixture : {Mixture::probability, Mixture::log_probability}) {
    for (const std::vector<double>& weights : {std::vector<double>{1}, {1, 1}, {1, 2, 4}}) {
      const Team models = team(weights, mixture);
      const auto found = translate_batchwise(models.ensemble(), sources, options, 50);
      std::vector<Ids> from, to;
      std::vector<Hypothesis> hypotheses;
      for (size_t i = 0; i < sources.size(); ++i)
        for (const Hypothesis& hypothesis : found[i].nbest) {
          from.push_back(sources[i]);
          to.push_back(hypothesis.ids);
          hypotheses.push_back(hypothesis);
        }
      ASSERT_GT(hypotheses.size(), sources.size());
      const auto forced = force_batchwise(models.ensemble(), from, to, with_attention());
      for (size_t h = 0; h < hypotheses.size(); ++h) {
        EXPECT_NEAR(forced[h].log_probability, hypotheses[h].log_probability, 1e-4);
        for (size_t t = 0; t <= to[h].size(); ++t)
          for (size_t s = 0; s <= from[h].size(); ++s)
            EXPECT_NEAR(forced[h].attention[t][s], hypotheses[h].attention[t][s], 1e-4);
      }
    }
  }
}

}  // namespace
}  // namespace heed
