// Every attention score of the table against an independent program (scripts/goldens/attention.py).
#include <gtest/gtest.h>

#include "nn/attention/score.h"
#include "support/golden_tape.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

// The golden's parameters under heed's names; concat's one matrix is kept as its two
// blocks of rows.
void fill_parameters(ParameterStore& store, const test::Golden& golden) {
  const std::map<std::string, std::string> names = {{"attention.query", "Wq"},
                                                    {"attention.key", "Wk"},
                                                    {"attention.bias", "b"},
                                                    {"attention.v", "v"}};
  for (Parameter& p : store.parameters()) {
    if (!golden.contains("W") || p.name == "attention.v") {
      test::fill(p.value, test::golden_tensor(golden.at(names.at(p.name))));
      continue;
    }
    test::GoldenTensor block = test::golden_tensor(golden.at("W"));
    const auto size = p.value.size();
    const auto begin = p.name == "attention.query" ? block.data.begin() : block.data.end() - size;
    block.data = std::vector<double>(begin, begin + size);
    test::fill(p.value, block);
  }
  static_cast<void>(store.update());
}

// The golden's gradient of a parameter, by the same names.
std::vector<double> gradient_of(const Parameter& p, const test::Golden& gradients) {
  ParameterStore copy;
  copy.add(p.name, p.value.shape, Init::zero);
  copy.allocate(false);
  fill_parameters(copy, gradients);
  const Tensor t = copy.parameters().front().value;
  return {t.data, t.data + t.size()};
}

class EveryScore : public testing::TestWithParam<std::string> {};

TEST_P(EveryScore, GivesTheWeightsTheContextAndEveryGradient) {
  const test::Golden golden = test::load_golden("attention");
  const test::Golden& expected = golden.at(GetParam());
  const auto lengths = golden.at("lengths").get<std::vector<int32_t>>();
  const test::GoldenTensor queries = test::golden_tensor(expected.at("queries"));
  const test::GoldenTensor states = test::golden_tensor(expected.at("states"));
  const test::GoldenTensor v = expected.at("parameters").contains("v")
                                   ? test::golden_tensor(expected.at("parameters").at("v"))
                                   : test::GoldenTensor{{1}, {0}};
  ParameterStore store;
  const auto score = make_score(GetParam(), store, {queries.shape[2], states.shape[2], v.shape[0]});
  store.allocate(true);
  store.initialise(1);
  fill_parameters(store, expected.at("parameters"));

  Arena memory;
  Tape tape(memory, true);
  const Var q = tape.leaf(test::tensor_in(memory, queries)),
            h = tape.leaf(test::tensor_in(memory, states));
  const Var query =
      score->query_weight() == nullptr ? q : linear(tape, q, *score->query_weight(), nullptr);
  const int64_t Tq = queries.shape[0], B = queries.shape[1], S = states.shape[0];
  const Var context = tape.result({Tq, B, states.shape[2]}, true),
            weights = tape.result({Tq, B, S}, true);
  const Ids valid = upload(memory, lengths, {B}, {0, S + 1});
  attend(tape, score->form(), {query, score->keys(tape, h), h, {valid, {}}}, {context, weights});
  test::expect_near(weights.value(), test::golden_tensor(expected.at("weights")), 1e-5, "weights");
  test::expect_near(context.value(), test::golden_tensor(expected.at("context")), 1e-5, "context");

  test::fill(tape.gradient(context), test::golden_tensor(expected.at("loss_weights")));
  tape.backward();
  const test::Golden& gradients = expected.at("gradients");
  test::expect_near(tape.gradient(q), test::golden_tensor(gradients.at("queries")), 1e-5,
                    "queries");
  test::expect_near(tape.gradient(h), test::golden_tensor(gradients.at("states")), 1e-5, "states");
  for (const Parameter& p : store.parameters()) {
    const std::vector<double> g = gradient_of(p, gradients);
    for (size_t i = 0; i < g.size(); ++i)
      EXPECT_NEAR(p.gradient.data[i], g[i], 1e-5) << p.name << " " << i;
  }
}

std::vector<std::string> scores_with_weights() {
  std::vector<std::string> names = score_names();
  std::erase(names, "none");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryScore, testing::ValuesIn(scores_with_weights()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace heed
