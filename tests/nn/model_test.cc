// What every combination of decoder style, cell, score, feeding, layers and
// tied embeddings promises.
#include "nn/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "config/schema.h"
#include "nn/attention/score.h"
#include "nn/cells/cell.h"
#include "nn/table.h"
#include "tensor/transfer.h"
#include "text/corpus.h"

namespace heed {
namespace {

constexpr int64_t kVocabulary = 13;

std::vector<TokenId> random_ids(int64_t count, Random& random) {
  std::vector<TokenId> ids;
  while (static_cast<int64_t>(ids.size()) < count)
    ids.push_back(static_cast<TokenId>(3 + random.below(kVocabulary - 3)));
  return ids;
}

Corpus random_corpus() {
  Random random(3);
  Corpus corpus;
  for (const int64_t length : {6, 1, 4})
    corpus.add(random_ids(length, random), random_ids(7 - length, random));
  return corpus;
}

std::unique_ptr<Model> make_model(const ModelConfig& config) {
  auto model = std::make_unique<Model>(config, kVocabulary, kVocabulary);
  model->initialise(5, true);
  return model;
}

std::vector<ModelConfig> combinations() {
  std::vector<ModelConfig> all;
  for (const std::string& cell : cell_names())
    for (const char* style : {"bahdanau", "luong"})
      for (const std::string& score : score_names())
        for (const bool feeding : {false, true})
          for (const int layers : {1, 2}) {
            ModelConfig c;
            c.encoder = {"rnn", cell, layers, 4, true};
            c.decoder = {"rnn", style, cell, layers, 8, 0, feeding};
            c.attention = {score, 6};
            c.embedding = 5;
            c.tied_embeddings = layers == 1 ? "none" : feeding ? "all" : "target";
            all.push_back(c);
          }
  all.push_back(all.front());
  all.back().encoder.bidirectional = false;
  return all;
}

std::string name_of(const ModelConfig& c) {
  return c.decoder.style + "_" + c.decoder.cell + "_" + c.attention.score +
         (c.decoder.input_feeding ? "_feeding" : "") + "_" + std::to_string(c.decoder.layers) +
         (c.encoder.bidirectional ? "" : "_oneway");
}

class EveryModel : public testing::TestWithParam<ModelConfig> {
 protected:
  EveryModel() : model_(make_model(GetParam())), corpus_(random_corpus()) {}
  Batch batch(std::vector<int64_t> pairs) const { return make_batch(corpus_.pairs(pairs)); }
  double loss(const Batch& b, const ForwardOptions& options = {}) {
    arena_.reset();
    Tape tape(arena_, false);
    return static_cast<double>(item(model_->loss(tape, b, options).loss.value()));
  }
  std::vector<Real> gradients(const Batch& b, const ForwardOptions& options) {
    arena_.reset();
    kernels::fill(model_->parameters().gradients(), 0);
    Tape tape(arena_, true);
    tape.backward(model_->loss(tape, b, options).loss);
    const Tensor g = model_->parameters().gradients();
    return {g.data, g.data + g.size()};
  }

  std::unique_ptr<Model> model_;
  Corpus corpus_;
  Arena arena_;
};

ForwardOptions all_options() {
  ForwardOptions options;
  options.dropout = {Real{0.3}, Real{0.3}, Real{0.3}, Real{0.3}};
  options.dropout_seed = 9;
  options.label_smoothing = Real{0.1};
  return options;
}

// Along a random direction d: (L(w + h d) - L(w - h d)) / 2h = g . d, with dropout and
// label smoothing on.
TEST_P(EveryModel, HasTheGradientOfItsLoss) {
  const Batch b = batch({0, 1, 2});
  const std::vector<Real> gradient = gradients(b, all_options());
  ParameterStore& store = model_->parameters();
  const Tensor values = store.values();
  Random random(7);
  std::vector<double> direction(gradient.size());
  double expected = 0;
  for (size_t i = 0; i < gradient.size(); ++i) {
    direction[i] = random.normal();
    expected += direction[i] * static_cast<double>(gradient[i]);
  }
  const double h = sizeof(Real) == 8 ? 1e-5 : 2e-3;
  const auto loss_at = [&](double shift) {
    for (size_t i = 0; i < direction.size(); ++i)
      values.data[i] += static_cast<Real>(shift * direction[i]);
    static_cast<void>(store.update());
    const double l = loss(b, all_options());
    for (size_t i = 0; i < direction.size(); ++i)
      values.data[i] -= static_cast<Real>(shift * direction[i]);
    return l;
  };
  const double numeric = (loss_at(h) - loss_at(-h)) / (2 * h);
  const double tolerance = sizeof(Real) == 8 ? 1e-7 : 2e-2;
  EXPECT_NEAR(numeric, expected, tolerance * std::max(1.0, std::abs(expected)));
}

TEST_P(EveryModel, IsNotTouchedByPadding) {
  const Batch together = batch({0, 1, 2});
  double sum = 0;
  for (int64_t i = 0; i < 3; ++i) {
    const Batch alone = batch({i});
    sum += loss(alone) * static_cast<double>(alone.target_tokens);
  }
  EXPECT_NEAR(loss(together) * static_cast<double>(together.target_tokens), sum, 1e-4);
}

// Whatever the session was told to do beforehand: the numbers of two steps.
std::vector<Real> two_steps(Model& model, const Batch& b) {
  const auto session = model.start(b);
  std::vector<Real> all;
  for (const TokenId word : {kStart, TokenId{5}}) {
    const StepResult step = session->step(std::vector<TokenId>(static_cast<size_t>(b.B), word));
    const Tensor& p = step.log_probabilities;
    all.insert(all.end(), p.data, p.data + p.size());
  }
  return all;
}

void expect_near(const std::vector<Real>& a, const std::vector<Real>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5) << i;
}

TEST_P(EveryModel, StepsToTheSameNumbersFromATableOfWords) {
  const Batch b = batch({0, 1, 2});
  const auto plain = two_steps(*model_, b);
  model_->tabulate_words();
  expect_near(two_steps(*model_, b), plain);
  // Other weights make the table stale, and a new one right again.
  const Tensor values = model_->parameters().values();
  for (int64_t i = 0; i < values.size(); ++i) values.data[i] *= Real{1.5};
  static_cast<void>(model_->parameters().update());
  const auto changed = two_steps(*model_, b);
  EXPECT_NE(changed, plain);
  model_->tabulate_words();
  expect_near(two_steps(*model_, b), changed);
}

// Search, token by token, with reordering, different numbers of hypotheses and sentences that end:
// the same numbers as the whole pass.
TEST_P(EveryModel, StepsToTheSameProbabilities) {
  const Batch b = batch({0, 1, 2});
  Tape tape(arena_, false);
  const Forced forced = model_->force(tape, b);
  const auto session = model_->start(b);
  std::vector<int32_t> sentence_of = {0, 1, 2};  // of each row
  for (int64_t t = 0; !sentence_of.empty(); ++t) {
    std::vector<TokenId> previous;
    for (const int32_t s : sentence_of)
      previous.push_back(b.target_in[static_cast<size_t>(t * b.B + s)]);
    const StepResult step = session->step(previous);
    for (size_t row = 0; row < sentence_of.size(); ++row) {
      const int64_t s = sentence_of[row], S = step.attention.empty() ? 0 : b.S;
      const auto r = static_cast<int64_t>(row);
      const TokenId token = b.target_out[static_cast<size_t>(t * b.B + s)];
      EXPECT_NEAR(step.log_probabilities.data[r * kVocabulary + token],
                  forced.token_log_probability.data[t * b.B + s], 1e-5);
      for (int64_t i = 0; i < S; ++i)
        EXPECT_NEAR(step.attention.data[r * S + i], forced.attention.data[(t * b.B + s) * b.S + i],
                    1e-5);
    }
    std::vector<int32_t> from, counts, next;
    for (int32_t s = 0; s < 3; ++s) {
      const bool ends = t + 1 >= b.target_length[static_cast<size_t>(s)];
      counts.push_back(ends ? 0 : 1 + static_cast<int32_t>(t + s) % 3);
      for (int32_t j = 0; j < counts.back(); ++j) {  // all go on from the last one
        const auto last = std::find(sentence_of.rbegin(), sentence_of.rend(), s);
        from.push_back(static_cast<int32_t>(sentence_of.rend() - last) - 1);
        next.push_back(s);
      }
    }
    if (!from.empty()) session->reorder(from, counts);
    sentence_of = next;
  }
}

TEST_P(EveryModel, CountsItsOperations) {
  const Batch b = batch({0, 1, 2});
  EXPECT_GT(model_->training_flops(b), 0);
  EXPECT_NEAR(model_->training_flops(b),
              model_->training_flops(batch({0})) + model_->training_flops(batch({1})) +
                  model_->training_flops(batch({2})),
              1);
}

INSTANTIATE_TEST_SUITE_P(Combinations, EveryModel, testing::ValuesIn(combinations()),
                         [](const auto& test) { return name_of(test.param); });

std::vector<std::string> choices_of(const std::string& key) {
  for (const Key& k : config_keys())
    if (k.name == key) return k.choices;
  return {};
}

TEST(Tables, HoldTheNamesThatTheConfigOffers) {
  EXPECT_EQ(choices_of("model.attention.score"), score_names());
  EXPECT_EQ(choices_of("model.encoder.cell"), cell_names());
  EXPECT_EQ(choices_of("model.decoder.cell"), cell_names());
  EXPECT_EQ(choices_of("model.encoder.kind"), encoder_kinds());
  EXPECT_EQ(choices_of("model.decoder.kind"), decoder_kinds());
}

std::string message(const ModelConfig& config, int64_t source, int64_t target) {
  try {
    Model model(config, source, target);
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

TEST(Sizes, ThatDoNotFitAreToldWithBothNames) {
  ModelConfig config;
  config.attention.score = "dot";
  config.decoder.hidden = 500;
  const std::string dot = message(config, 10, 10);
  EXPECT_NE(dot.find("model.decoder.hidden = 500"), std::string::npos) << dot;
  EXPECT_NE(dot.find("= 512"), std::string::npos) << dot;

  ModelConfig tied;
  tied.tied_embeddings = "all";
  EXPECT_NE(message(tied, 10, 11).find("data.shared_vocab"), std::string::npos);
  tied.decoder.readout = 300;
  const std::string readout = message(tied, 10, 10);
  EXPECT_NE(readout.find("model.decoder.readout"), std::string::npos) << readout;
  EXPECT_NE(readout.find("model.embedding"), std::string::npos) << readout;
}

// The count that published speeds were compared by: 48.1 MFLOP a target token at these sizes.
TEST(Operations, OfTheReferenceModelAreTheHandCount) {
  ModelConfig config;
  config.decoder.input_feeding = false;
  const Model model(config, 8000, 8000);
  Corpus corpus;
  const std::vector<TokenId> ids(15, 5);
  corpus.add(ids, ids);
  const std::vector<int64_t> pairs = {0};
  const Batch b = make_batch(corpus.pairs(pairs));
  // Multiplications a source token: 2 directions x 768 x (256 + 256) + keys 512 x 512; a target
  // token: 1536 x (256 + 512 + 512) + query 512 x 512 + readout (512 + 512 + 256) x 512 + output
  // 512 x 8000; a pair: 512 + 512.
  const double source = 2 * 768 * 512 + 512 * 512;
  const double target = 1536.0 * 1280 + 512 * 512 + 1280 * 512 + 512 * 8000.0;
  EXPECT_NEAR(model.training_flops(b), 6 * (16 * source + 16 * target + 256 * 1024), 1);
}

}  // namespace
}  // namespace heed
