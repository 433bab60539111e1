// The properties that the methods of an explanation promise, with random models.
#include "decode/explainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/parallel.h"
#include "decode/marked_pieces.h"
#include "decode/quadrature.h"
#include "decode/random_model.h"

namespace heed {
namespace {

using Ids = std::vector<TokenId>;

using test::MarkedPieces;

class Explaining : public testing::Test {
 protected:
  std::vector<double> log_p(const Ids& source, const Ids& target) {
    return force_batchwise(*model_, std::vector<Ids>{source}, std::vector<Ids>{target}, {})[0]
        .token_log_probabilities;
  }
  EffectInput input(int64_t batch_tokens = 2000) {
    return {*model_, source_, target_, batch_tokens, arena_};
  }

  // log p of each target token with the factor of each source word.
  std::vector<double> log_p_with(const std::vector<Real>& factors) {
    const SentencePair pair{source_, target_};
    const Batch batch = make_batch({&pair, 1});
    arena_.reset();
    Tape tape(arena_, false);
    const Tensor values = model_->force(tape, batch, factors).token_log_probability;
    return {values.data, values.data + values.size()};
  }

  // The largest difference of a row's sum from the gain of log p over the baseline.
  double incompleteness(int64_t steps) {
    const Matrix effects = gradient_effects(input(), integration_points(steps));
    const std::vector<double> baseline = log_p_with(std::vector<Real>(source_.size() + 1, 0));
    const std::vector<double> whole = log_p(source_, target_);
    double worst = 0;
    for (size_t t = 0; t < effects.size(); ++t) {
      double sum = 0;
      for (const double effect : effects[t]) sum += effect;
      worst = std::max(worst, std::abs(sum - (whole[t] - baseline[t])));
    }
    return worst;
  }

  ForcedLine line(const std::vector<std::string>& source_pieces,
                  const std::vector<std::string>& target_pieces) {
    ForcedLine forced;
    forced.id = 4;
    forced.source.tokens = {source_, source_pieces};
    forced.target.tokens = {target_, target_pieces};
    forced.hypothesis = force_batchwise(*model_, std::vector<Ids>{source_},
                                        std::vector<Ids>{target_}, {2000, true})[0];
    return forced;
  }

  std::unique_ptr<Model> model_ = test::random_model({});
  Ids source_ = {3, 9, 5, 11}, target_ = {4, 4, 8};
  Arena arena_;
};

void expect_near(const Matrix& found, const Matrix& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t t = 0; t < found.size(); ++t) {
    ASSERT_EQ(found[t].size(), expected[t].size());
    for (size_t s = 0; s < found[t].size(); ++s)
      EXPECT_NEAR(found[t][s], expected[t][s], tolerance) << t << " " << s;
  }
}

TEST_F(Explaining, GradientsAreSlopesOfEachTargetToken) {
  const Matrix effects = gradient_effects(input(), std::vector<GradientPoint>{{1, 1}});
  ASSERT_EQ(effects.size(), 4U);
  const double h = sizeof(Real) == 8 ? 1e-5 : 5e-3;
  for (size_t s = 0; s <= source_.size(); ++s) {
    std::vector<Real> above(source_.size() + 1, 1), below = above;
    above[s] += static_cast<Real>(h);
    below[s] -= static_cast<Real>(h);
    const std::vector<double> left = log_p_with(below), right = log_p_with(above);
    for (size_t t = 0; t < effects.size(); ++t)
      EXPECT_NEAR(effects[t][s], (right[t] - left[t]) / (2 * h), sizeof(Real) == 8 ? 1e-7 : 5e-3)
          << t << " " << s;
  }
}

// With weights as large as those of the other tests log p is too steep along the way.
TEST_F(Explaining, IntegratedGradientsAddUpToWhatLogProbabilityGains) {
  model_ = test::random_model({.scale = 1.5});
  EXPECT_LT(incompleteness(30), 1e-3);
}

// The integral of x^k over [0, 1] is 1 / (k + 1); n nodes are exact up to k = 2 n - 1.
TEST(GaussLegendre, IntegratesPolynomialsExactly) {
  for (const int64_t count : {1, 2, 3, 7, 30, 200})
    for (int64_t k = 0; k < std::min<int64_t>(2 * count, 60); ++k) {
      double sum = 0;
      for (const auto& [x, weight] : gauss_legendre(count))
        sum += weight * std::pow(x, static_cast<double>(k));
      EXPECT_NEAR(sum, 1 / static_cast<double>(k + 1), 1e-12) << count << " " << k;
    }
}

TEST_F(Explaining, TellsWhatIntegratedGradientsShouldAddUpTo) {
  const WordVocabulary vocabulary({}, false);
  ExplainOptions options;
  options.methods[Method::integrated] = true;
  const Explanation found = Explainer(*model_, vocabulary, vocabulary, options)
                                .explain(line({"a", "b", "c", "d"}, {"x", "y", "z"}));
  const auto total = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
  };
  double sum = 0;
  for (const auto& row : found.matrix[Method::integrated]) sum += total(row);
  ASSERT_TRUE(found.completeness);
  EXPECT_NEAR(found.completeness->sum, sum, 1e-9);
  EXPECT_NEAR(found.completeness->gain,
              total(log_p(source_, target_)) - total(log_p_with({0, 0, 0, 0, 0})), 1e-4);
}

TEST_F(Explaining, ErasureComparesWithTheShortenedSentence) {
  const std::vector<double> whole = log_p(source_, target_);
  const Matrix effects = erasure_effects(input(), whole, {0, 1, 3, 4}, Erase::remove);
  const std::vector<Ids> shortened = {{9, 5, 11}, {3, 11}, {3, 9, 5}};
  for (size_t g = 0; g < shortened.size(); ++g) {
    const std::vector<double> without = log_p(shortened[g], target_);
    for (size_t t = 0; t < whole.size(); ++t)
      EXPECT_NEAR(effects[t][g], whole[t] - without[t], 1e-5) << t << " " << g;
  }
  EXPECT_GT(std::abs(effects[0][3]), 1e-4);  // the sentence without </s>
}

TEST_F(Explaining, ErasureByZeroKeepsThePlace) {
  const std::vector<double> whole = log_p(source_, target_), without = log_p_with({1, 0, 0, 1, 1});
  const Matrix effects = erasure_effects(input(), whole, {0, 1, 3, 4}, Erase::zero);
  for (size_t t = 0; t < whole.size(); ++t) EXPECT_NEAR(effects[t][1], whole[t] - without[t], 1e-5);
}

TEST_F(Explaining, NothingIsLeftOutOfAnEmptySource) {
  source_.clear();
  EXPECT_EQ(erasure_effects(input(), log_p(source_, target_), {0}, Erase::remove),
            Matrix(4, std::vector<double>{0.0}));
}

TEST_F(Explaining, NoBatchSizeOrNumberOfThreadsChangesTheResult) {
  const std::vector<double> whole = log_p(source_, target_);
  const std::vector<size_t> each = {0, 1, 2, 3, 4};
  const auto points = integration_points(5);
  const Matrix gradients = gradient_effects(input(), points);
  const Matrix erasures = erasure_effects(input(), whole, each, Erase::zero);
  for (const int64_t batch_tokens : {1, 11, 37}) {
    expect_near(gradient_effects(input(batch_tokens), points), gradients, 1e-4);
    expect_near(erasure_effects(input(batch_tokens), whole, each, Erase::zero), erasures, 1e-4);
  }
  set_threads(2);
  const Matrix two = gradient_effects(input(), points);
  set_threads(1);
  EXPECT_EQ(gradient_effects(input(), points), two);
  set_threads(0);
}

TEST(SumBlocks, AddsUpRowsAndColumns) {
  const Matrix matrix = {{1, 2, 3}, {10, 20, 30}, {100, 200, 300}};
  EXPECT_EQ(sum_blocks(matrix, {0, 2}, {0, 1}), (Matrix{{11, 55}, {100, 500}}));
}

TEST_F(Explaining, WordsAddUpAllButTheRowsOfAttention) {
  const MarkedPieces vocabulary;
  const ForcedLine forced = line({"▁a", "b", "▁c", "▁d"}, {"▁x", "y", "▁z"});
  ExplainOptions options;
  for (size_t i = 0; i < kMethods; ++i) options.methods[static_cast<Method>(i)] = true;
  options.steps = 3;
  const Explanation pieces = Explainer(*model_, vocabulary, vocabulary, options).explain(forced);
  EXPECT_EQ(pieces.source, (std::vector<std::string>{"▁a", "b", "▁c", "▁d", "</s>"}));
  options.words = true;
  const Explanation words = Explainer(*model_, vocabulary, vocabulary, options).explain(forced);
  EXPECT_EQ(words.source, (std::vector<std::string>{"ab", "c", "d", "</s>"}));
  EXPECT_EQ(words.target, (std::vector<std::string>{"xy", "z", "</s>"}));
  for (const Method method : {Method::gradient, Method::integrated})
    expect_near(words.matrix[method], sum_blocks(pieces.matrix[method], {0, 2, 3}, {0, 2, 3, 4}),
                1e-6);
  const Matrix& attention = words.matrix[Method::attention];
  EXPECT_NEAR(attention[0][1],
              (pieces.matrix[Method::attention][0][2] + pieces.matrix[Method::attention][1][2]) / 2,
              1e-6);
  const std::vector<double> whole = log_p(source_, target_), without = log_p({5, 11}, target_);
  EXPECT_NEAR(words.matrix[Method::erasure][0][0], whole[0] + whole[1] - without[0] - without[1],
              1e-5);
}

TEST_F(Explaining, ALineHasTheMatricesThatWereAskedFor) {
  const WordVocabulary vocabulary({}, false);
  ExplainOptions options;
  options.methods[Method::gradient] = options.methods[Method::erasure] = true;
  const auto json = nlohmann::ordered_json::parse(
      explanation_line(Explainer(*model_, vocabulary, vocabulary, options)
                           .explain(line({"a", "b", "c", "d"}, {"x", "y", "z"}))));
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  EXPECT_EQ(keys,
            (std::vector<std::string>{"id", "source", "target", "gradient", "erasure", "score"}));
  EXPECT_EQ(json["gradient"].size(), 4U);
  EXPECT_EQ(json["erasure"][3].size(), 5U);
  EXPECT_EQ(
      explanation_line(Explainer(*model_, vocabulary, vocabulary, options).explain(ForcedLine{})),
      R"({"id":0,"source":[],"target":[],"gradient":[],"erasure":[],"score":0.0})");
}

}  // namespace
}  // namespace heed
