// Gradient x input of source words against differences of log p, for every kind of model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "config/schema.h"
#include "nn/attention/score.h"
#include "nn/cells/cell.h"
#include "nn/model.h"
#include "text/corpus.h"

namespace heed {
namespace {

constexpr int64_t kVocabulary = 13;

std::vector<ModelConfig> combinations() {
  std::vector<ModelConfig> all;
  for (const std::string& cell : cell_names())
    for (const char* style : {"bahdanau", "luong"})
      for (const std::string& score : score_names())
        for (const bool feeding : {false, true}) {
          ModelConfig c;
          c.encoder = {"rnn", cell, feeding ? 2 : 1, 4, true};
          c.decoder = {"rnn", style, cell, feeding ? 1 : 2, 8, 0, feeding};
          c.attention = {score, 6};
          c.embedding = 5;
          c.tied_embeddings = feeding ? "all" : "none";
          all.push_back(c);
        }
  return all;
}

std::string name_of(const ModelConfig& c) {
  return c.decoder.style + "_" + c.decoder.cell + "_" + c.attention.score +
         (c.decoder.input_feeding ? "_feeding" : "");
}

std::unique_ptr<Model> make_model(const ModelConfig& config, bool with_gradients) {
  auto model = std::make_unique<Model>(config, kVocabulary, kVocabulary);
  model->initialise(5, with_gradients);
  return model;
}

Batch three_sentences() {
  Corpus corpus;
  corpus.add(std::vector<TokenId>{3, 7, 4, 9, 12}, std::vector<TokenId>{5, 6});
  corpus.add(std::vector<TokenId>{8}, std::vector<TokenId>{11, 10, 3, 4});
  corpus.add(std::vector<TokenId>{10, 10, 3}, std::vector<TokenId>{});
  return make_batch(corpus.pairs(std::vector<int64_t>{0, 1, 2}));
}

class Influence : public testing::TestWithParam<ModelConfig> {
 protected:
  // log p of the last target token of each sentence.
  std::vector<double> last_log_p(Model& model, const Batch& batch,
                                 const std::vector<Real>& factors) {
    arena_.reset();
    Tape tape(arena_, false);
    const Tensor log_p = model.force(tape, batch, factors).token_log_probability;
    std::vector<double> last;
    for (int64_t b = 0; b < batch.B; ++b) {
      const int64_t t = batch.target_length[static_cast<size_t>(b)] - 1;
      last.push_back(static_cast<double>(log_p.data[t * batch.B + b]));
    }
    return last;
  }
  std::vector<Real> influence(Model& model, const Batch& batch, const std::vector<Real>& factors) {
    arena_.reset();
    Tape tape(arena_, true);
    const Tensor values = model.source_influence(tape, batch, factors);
    return {values.data, values.data + values.size()};
  }

  Arena arena_;
};

// The factor f of a word changes its vector along itself: d log p / df is what its influence is.
TEST_P(Influence, IsTheSlopeOfLogProbabilityAlongTheWordVector) {
  const auto model = make_model(GetParam(), false);
  const Batch batch = three_sentences();
  const double h = sizeof(Real) == 8 ? 1e-5 : 1e-2;
  for (const Real at : {Real{1}, Real{0.5}}) {
    const std::vector<Real> factors(batch.source.size(), at);
    const std::vector<Real> found = influence(*model, batch, factors);
    for (int64_t s = 0; s < batch.S; ++s) {
      const auto shifted = [&](double shift) {
        std::vector<Real> moved = factors;
        for (int64_t b = 0; b < batch.B; ++b)
          moved[static_cast<size_t>(s * batch.B + b)] += static_cast<Real>(shift);
        return last_log_p(*model, batch, moved);
      };
      const std::vector<double> above = shifted(h), below = shifted(-h);
      for (size_t b = 0; b < above.size(); ++b) {
        const double slope = (above[b] - below[b]) / (2 * h);
        const auto value = static_cast<double>(found[static_cast<size_t>(s * batch.B) + b]);
        EXPECT_NEAR(value, slope, sizeof(Real) == 8 ? 1e-8 : 5e-4) << s << " " << b;
      }
    }
  }
}

TEST_P(Influence, IsZeroBeyondTheEndOfASentence) {
  const auto model = make_model(GetParam(), false);
  const Batch batch = three_sentences();
  const std::vector<Real> found = influence(*model, batch, {});
  for (int64_t s = 2; s < batch.S; ++s) EXPECT_EQ(found[static_cast<size_t>(s * batch.B + 1)], 0);
}

TEST_P(Influence, NeedsNoGradientsOfTheParameters) {
  const Batch batch = three_sentences();
  EXPECT_EQ(influence(*make_model(GetParam(), false), batch, {}),
            influence(*make_model(GetParam(), true), batch, {}));
}

// A factor of 0 is a word whose vector is zero.
TEST_P(Influence, AFactorOfZeroIsAZeroVector) {
  if (GetParam().tied_embeddings != "none") return;
  const Batch batch = three_sentences();
  const auto model = make_model(GetParam(), false), zeroed = make_model(GetParam(), false);
  const TokenId word = 10;
  kernels::fill(zeroed->parameters().find("source.embedding")->value.slice(word, word + 1), 0);
  static_cast<void>(zeroed->parameters().update());
  std::vector<Real> factors;
  for (const TokenId id : batch.source) factors.push_back(id == word ? 0 : 1);
  EXPECT_EQ(last_log_p(*model, batch, factors), last_log_p(*zeroed, batch, {}));
  EXPECT_NE(last_log_p(*model, batch, factors), last_log_p(*model, batch, {}));
}

INSTANTIATE_TEST_SUITE_P(Models, Influence, testing::ValuesIn(combinations()),
                         [](const auto& tested) { return name_of(tested.param); });

}  // namespace
}  // namespace heed
