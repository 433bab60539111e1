#include "decode/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "decode/forced.h"
#include "decode/random_model.h"
#include "decode/translate.h"
#include "support/golden_model.h"
#include "support/source_batch.h"

namespace heed {
namespace {

using test::random_model;
using test::random_sentences;
using Ids = std::vector<TokenId>;

SearchOptions beam_of(int64_t beam, double penalty = 0.6) {
  SearchOptions options;
  options.beam = beam;
  options.ranking.length_penalty = penalty;
  options.constraints.max_length_ratio = 1.5;
  options.constraints.max_length_extra = 3;
  return options;
}

// Every sequence of at most `longest` of the tokens that may be produced.
std::vector<Ids> all_targets(int64_t vocabulary, int64_t longest) {
  std::vector<Ids> targets = {{}};
  for (size_t i = 0; i < targets.size(); ++i) {
    if (static_cast<int64_t>(targets[i].size()) == longest) continue;
    for (TokenId id = 3; id < vocabulary; ++id) {
      targets.push_back(targets[i]);
      targets.back().push_back(id);
    }
  }
  return targets;
}

// The oracle: scores every possible translation by forced decoding and sorts.
std::vector<Hypothesis> best_of_all(Model& model, const Ids& source, int64_t longest,
                                    double penalty) {
  const std::vector<Ids> targets = all_targets(model.target_vocabulary(), longest);
  const std::vector<Ids> sources(targets.size(), source);
  std::vector<Hypothesis> all = force_batchwise(model, sources, targets, {});
  for (Hypothesis& h : all)
    h.score =
        h.log_probability / std::pow((5.0 + static_cast<double>(h.ids.size()) + 1) / 6.0, penalty);
  std::stable_sort(all.begin(), all.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  return all;
}

// Rounding of a sum of log-probabilities in f32.
double of_sum(double log_probability) { return 1e-4 * std::max(1.0, std::abs(log_probability)); }

TEST(Search, AWideBeamFindsWhatTryingEveryTranslationFinds) {
  for (const double penalty : {0.0, 0.6, 1.5}) {
    auto model = random_model({.vocabulary = 6});
    const auto sources = random_sentences(4, 5, 6);
    SearchOptions options = beam_of(200, penalty);
    options.nbest = 20;
    options.constraints.max_length_ratio = 0;
    options.constraints.max_length_extra = 4;
    const auto found = search(*model, make_source_batch(sources), options);
    for (size_t b = 0; b < sources.size(); ++b) {
      const auto best = best_of_all(*model, sources[b], 4, penalty);
      ASSERT_EQ(found[b].size(), 20U);
      for (size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(found[b][i].ids, best[i].ids) << "sentence " << b << ", rank " << i;
        EXPECT_NEAR(found[b][i].log_probability, best[i].log_probability, 1e-4);
        EXPECT_NEAR(found[b][i].score, best[i].score, 1e-4);
      }
    }
  }
}

TEST(Search, AVocabularyTooSmallForNbestGivesAllThereIs) {
  auto model = random_model({.vocabulary = 4});
  SearchOptions options = beam_of(10);
  options.nbest = 10;
  options.constraints.max_length_ratio = 0;
  options.constraints.max_length_extra = 2;
  const auto found = search(*model, make_source_batch(std::vector<Ids>{{3, 3}}), options);
  ASSERT_EQ(found[0].size(), 3U);  // nothing, one token, two tokens
  EXPECT_EQ(found[0].size(), all_targets(4, 2).size());
}

TEST(Search, BeamOneIsTheGreedySearchOfAnIndependentProgram) {
  const test::Golden golden = test::load_golden("model");
  SearchOptions options = beam_of(1);
  options.constraints.max_length_ratio = 0;
  options.constraints.max_length_extra = 12;
  int compared = 0;
  for (const std::string name : {"A", "B"}) {
    const auto model = test::golden_model(golden, name);
    const auto found = search(*model, test::golden_batch(golden), options);
    for (size_t b = 0; b < found.size(); ++b) {
      const auto& expected = golden.at(name).at("greedy_at_start").at(b);
      Ids ids = expected.at("ids").get<Ids>();
      // The program that made the golden may produce <unk> and <s>; heed never does.
      if (std::count(ids.begin(), ids.end(), kUnknown) + std::count(ids.begin(), ids.end(), kStart))
        continue;
      const bool ended = ids.back() == kEnd;
      const size_t length = ids.size();
      if (ended && length <= 12) ids.pop_back();
      EXPECT_EQ(found[b][0].ids, ids) << name << ", sentence " << b;
      EXPECT_EQ(found[b][0].finished, ended);
      if (ended) {
        EXPECT_NEAR(found[b][0].log_probability, expected.at("log_probability").get<double>(),
                    1e-4);
      }
      ++compared;
    }
  }
  EXPECT_GE(compared, 4);
}

// Greedy search written once more, one sentence at a time, straight on the session.
Ids greedy(Model& model, const Ids& source, int64_t limit) {
  auto session = model.start(make_source_batch(std::vector<Ids>{source}));
  Ids ids;
  for (TokenId previous = kStart; static_cast<int64_t>(ids.size()) < limit;) {
    const Real* row = session->step(std::vector<TokenId>{previous}).log_probabilities.data;
    previous =
        static_cast<TokenId>(std::max_element(row + kEnd, row + model.target_vocabulary()) - row);
    if (previous == kEnd) break;
    ids.push_back(previous);
  }
  return ids;
}

TEST(Search, BeamOneTakesTheBestTokenAtEachStep) {
  auto model = random_model({});
  const auto sources = random_sentences(30, 9, 12);
  const SearchOptions options = beam_of(1);
  const auto found = search(*model, make_source_batch(sources), options);
  for (size_t b = 0; b < sources.size(); ++b)
    EXPECT_EQ(found[b][0].ids,
              greedy(*model, sources[b],
                     Constraints(options.constraints, std::ssize(sources[b])).most()));
}

// Each configuration that keeps another kind of state: cells, layers, styles, scores.
const std::vector<test::RandomModelOptions>& kinds() {
  static const std::vector<test::RandomModelOptions> all = {
      {.style = "bahdanau", .cell = "gru", .score = "additive", .layers = 1},
      {.style = "bahdanau", .cell = "lstm", .score = "concat", .layers = 2},
      {.style = "luong", .cell = "gru", .score = "dot", .layers = 3},
      {.style = "luong", .cell = "lstm", .score = "general", .layers = 2},
      {.style = "bahdanau", .cell = "gru", .score = "none", .layers = 2},
  };
  return all;
}

TEST(Search, ASentenceAloneGivesWhatItGivesInAnyBatch) {
  for (const auto& kind : kinds()) {
    auto model = random_model(kind);
    const auto sources = random_sentences(23, 11, 12);
    SearchOptions options = beam_of(4);
    options.nbest = 3;
    options.attention = true;
    const auto together = search(*model, make_source_batch(sources), options);
    for (size_t b = 0; b < sources.size(); ++b) {
      const auto alone =
          search(*model, make_source_batch(std::vector<Ids>{sources[b]}), options)[0];
      ASSERT_EQ(alone.size(), together[b].size());
      for (size_t i = 0; i < alone.size(); ++i) {
        EXPECT_EQ(alone[i].ids, together[b][i].ids) << kind.cell << ", sentence " << b;
        EXPECT_NEAR(alone[i].score, together[b][i].score, of_sum(together[b][i].score));
        ASSERT_EQ(alone[i].attention.size(), together[b][i].attention.size());
        for (size_t t = 0; t < alone[i].attention.size(); ++t)
          for (size_t s = 0; s < alone[i].attention[t].size(); ++s)
            EXPECT_NEAR(alone[i].attention[t][s], together[b][i].attention[t][s], 1e-4);
      }
    }
  }
}

TEST(Search, ForcedDecodingOfAFoundTranslationGivesItsScoreAndAttention) {
  for (const auto& kind : kinds()) {
    auto model = random_model(kind);
    const auto sources = random_sentences(12, 8, 12);
    SearchOptions options = beam_of(5);
    options.nbest = 4;
    options.attention = true;
    const auto found = search(*model, make_source_batch(sources), options);
    for (size_t rank = 0; rank < 4; ++rank) {
      std::vector<Ids> targets;
      for (const auto& nbest : found) targets.push_back(nbest.at(rank).ids);
      ForcedOptions forcing;
      forcing.attention = true;
      const auto forced = force_batchwise(*model, sources, targets, forcing);
      for (size_t b = 0; b < sources.size(); ++b) {
        EXPECT_NEAR(found[b][rank].log_probability, forced[b].log_probability,
                    of_sum(forced[b].log_probability));
        if (rank > 0) continue;
        const size_t rows = kind.score == "none" ? 0 : targets[b].size() + 1;
        ASSERT_EQ(found[b][0].attention.size(), rows);
        ASSERT_EQ(forced[b].attention.size(), rows);
        for (size_t t = 0; t < rows; ++t) {
          ASSERT_EQ(found[b][0].attention[t].size(), sources[b].size() + 1);
          for (size_t s = 0; s <= sources[b].size(); ++s)
            EXPECT_NEAR(found[b][0].attention[t][s], forced[b].attention[t][s], 1e-4);
        }
      }
    }
  }
}

TEST(Search, AWiderBeamNeverRanksBelowGreedyInAllOfManySentences) {
  // Not a theorem for one sentence; for log p summed over many it holds unless the beam is broken.
  for (const auto& kind : kinds()) {
    auto model = random_model(kind);
    const auto sources = random_sentences(40, 8, 12);
    double sum_greedy = 0, sum_beam = 0;
    for (const auto& nbest : search(*model, make_source_batch(sources), beam_of(1, 0)))
      sum_greedy += nbest[0].log_probability;
    for (const auto& nbest : search(*model, make_source_batch(sources), beam_of(8, 0)))
      sum_beam += nbest[0].log_probability;
    EXPECT_GT(sum_beam, sum_greedy) << kind.cell << " " << kind.score;
  }
}

TEST(Search, TheSameBitsForAnyNumberOfThreads) {
  auto model = random_model({.layers = 2});
  const auto sources = random_sentences(60, 12, 12);
  SearchOptions options = beam_of(5);
  options.attention = true;
  const auto run = [&](int count) {
    set_threads(count);
    auto found = search(*model, make_source_batch(sources), options);
    set_threads(0);
    return found;
  };
  const auto one = run(1), two = run(2);
  for (size_t b = 0; b < sources.size(); ++b) {
    EXPECT_EQ(one[b][0].ids, two[b][0].ids);
    EXPECT_EQ(one[b][0].log_probability, two[b][0].log_probability);
    EXPECT_EQ(one[b][0].attention, two[b][0].attention);
  }
}

TEST(Search, TheLengthLimitIsThatOfEachSentenceAndTheCutIsTold) {
  auto model = random_model({});
  for (Parameter& p : model->parameters().parameters())
    if (p.name == "output.bias") p.value.data[kEnd] = -100;  // a model that never ends
  static_cast<void>(model->parameters().update());
  SearchOptions options = beam_of(3);
  options.constraints.max_length_ratio = 2;
  options.constraints.max_length_extra = 1;
  const std::vector<Ids> sources = {{3, 4, 5, 6}, {3}};
  const auto found = search(*model, make_source_batch(sources), options);
  EXPECT_EQ(found[0][0].ids.size(), 9U);
  EXPECT_EQ(found[1][0].ids.size(), 3U);
  EXPECT_FALSE(found[0][0].finished);
  const auto forced =
      force_batchwise(*model, sources, std::vector<Ids>{found[0][0].ids, found[1][0].ids}, {});
  EXPECT_NEAR(found[0][0].log_probability, forced[0].log_probability, 1e-2);  // about -100
}

TEST(Search, NeverProducesUnknownOrStart) {
  auto model = random_model({});
  for (Parameter& p : model->parameters().parameters())
    if (p.name == "output.bias") p.value.data[kUnknown] = p.value.data[kStart] = 100;
  static_cast<void>(model->parameters().update());
  for (const int64_t beam : {1, 4})
    for (const auto& nbest :
         search(*model, make_source_batch(random_sentences(5, 5, 12)), beam_of(beam)))
      for (const TokenId id : nbest[0].ids) EXPECT_GE(id, 3);
}

TEST(Search, AModelWithNumbersThatAreNotFiniteIsRefused) {
  auto model = random_model({});
  const Tensor values = model->parameters().values();
  std::fill_n(values.data, values.size(), std::nan(""));
  static_cast<void>(model->parameters().update());
  EXPECT_THROW(search(*model, make_source_batch(std::vector<Ids>{{3, 4}}), beam_of(2)), UserError);
}

}  // namespace
}  // namespace heed
