// Every kind of model gives the same bits whatever the number of threads, at sizes where threads
// share the work of each kernel.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/parallel.h"
#include "base/random.h"
#include "config/schema.h"
#include "nn/attention/score.h"
#include "nn/cells/cell.h"
#include "nn/model.h"
#include "text/corpus.h"

namespace heed {
namespace {

constexpr int64_t kVocabulary = 700, kSentences = 24;

Batch long_batch() {
  Random random(3);
  Corpus corpus;
  std::vector<int64_t> pairs;
  const auto ids = [&](int64_t length) {
    std::vector<TokenId> made(static_cast<size_t>(length));
    for (TokenId& id : made) id = static_cast<TokenId>(kEnd + random.below(kVocabulary - kEnd));
    return made;
  };
  for (int64_t i = 0; i < kSentences; ++i) {
    corpus.add(ids(8 + i % 9), ids(16 - i % 7));
    pairs.push_back(i);
  }
  return make_batch(corpus.pairs(pairs));
}

std::vector<ModelConfig> kinds() {
  std::vector<ModelConfig> all;
  for (const std::string& cell : cell_names())
    for (const char* style : {"bahdanau", "luong"})
      for (const std::string& score : score_names()) {
        ModelConfig c;
        c.encoder = {"rnn", cell, 2, 48, true};
        c.decoder = {"rnn", style, cell, 2, 96, 0, true};
        c.attention = {score, 64};
        c.embedding = 40;
        all.push_back(c);
      }
  return all;
}

std::vector<Real> gradients(Model& model, const Batch& batch) {
  ForwardOptions options;
  options.dropout = {Real{0.3}, Real{0.3}, Real{0.3}, Real{0.3}};
  options.label_smoothing = Real{0.1};
  kernels::fill(model.parameters().gradients(), 0);
  Arena arena;
  Tape tape(arena, true);
  tape.backward(model.loss(tape, batch, options).loss);
  const Tensor g = model.parameters().gradients();
  return {g.data, g.data + g.size()};
}

class EveryKind : public testing::TestWithParam<ModelConfig> {};

TEST_P(EveryKind, GivesTheSameBitsForAnyNumberOfThreads) {
  if (usable_cores() == 1) GTEST_SKIP() << "one core only";
  Model model(GetParam(), kVocabulary, kVocabulary);
  model.initialise(5, true);
  const Batch batch = long_batch();
  for (const auto precision : {kernels::Precision::f32, kernels::Precision::bf16}) {
    if (!kernels::has_precision(precision)) continue;
    model.parameters().set_precision(precision);
    set_threads(1);
    const std::vector<Real> one = gradients(model, batch);
    for (int threads = 2; threads <= std::min(usable_cores(), 4); ++threads) {
      const int64_t before = shared_calls();
      set_threads(threads);
      EXPECT_TRUE(gradients(model, batch) == one) << threads << " threads";
      // At least the products of the sequences, the cells and the output layer, there and back.
      EXPECT_GT(shared_calls() - before, 40);
    }
  }
  set_threads(0);
}

std::string name_of(const testing::TestParamInfo<ModelConfig>& kind) {
  const ModelConfig& c = kind.param;
  return c.decoder.style + "_" + c.decoder.cell + "_" + c.attention.score;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryKind, testing::ValuesIn(kinds()), name_of);

}  // namespace
}  // namespace heed
