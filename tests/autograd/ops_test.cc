#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "op_reference.h"
#include "support/op_check.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

class EveryOp : public testing::TestWithParam<GradientCase> {};

TEST_P(EveryOp, KeepsThePromisesOfAnOp) { test::op_check(GetParam()); }

// Ops of one free input take any shape.
const std::set<std::string> kAnyShape = {"tanh",        "tanh_into",   "sigmoid", "dropout",
                                         "drop_rows",   "concat",      "repeat",  "copy_rows",
                                         "select_rows", "weighted_sum"};

TEST_P(EveryOp, RefusesShapesThatDoNotFit) {
  if (kAnyShape.count(GetParam().op) > 0) GTEST_SKIP() << "takes any shape";
  test::expect_bad_shapes_throw(GetParam());
}

// What outside programs give the values of, and dropout, whose mask its kernel's test looks at.
bool has_a_golden(const std::string& op) {
  for (const char* name : {"gru", "lstm", "attend", "project_and_cross_entropy", "drop"})
    if (op.starts_with(name)) return true;
  return false;
}

test::Operand operand(const Tensor& x) {
  const std::vector<Real> elements = download(x);
  return {static_cast<size_t>(x.shape.last()), {elements.begin(), elements.end()}};
}

TEST_P(EveryOp, GivesTheValuesOfAPlainLoop) {
  if (has_a_golden(GetParam().op)) GTEST_SKIP() << "a golden has its values";
  ASSERT_TRUE(test::op_references().contains(GetParam().op)) << "give it a row in op_reference.cc";
  GradientExample example(GetParam(), 5);
  test::Operands inputs, parameters;
  for (const Tensor& input : example.inputs()) inputs.push_back(operand(input));
  for (const Parameter& p : example.store().parameters()) parameters.push_back(operand(p.value));
  const std::vector<double> expected = test::op_references().at(GetParam().op)(inputs, parameters);
  const std::vector<Real> values = example.values();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(static_cast<double>(values[i]), expected[i], sizeof(Real) == 8 ? 1e-12 : 2e-6) << i;
}

INSTANTIATE_TEST_SUITE_P(Ops, EveryOp, testing::ValuesIn(gradient_cases()), [](const auto& test) {
  std::string name = test.param.op;
  for (char& c : name)
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

// A wrong derivative must not pass: the check itself is checked.
TEST(GradientCheck, SeesAWrongDerivative) {
  const GradientCase wrong{
      "wrong", {{2, 3}}, {}, [](Tape& tape, Inputs x, Parameters) {
        Var y = tape.result(x[0].shape(), true);
        kernels::tanh(x[0].value(), y.value());
        tape.record([&tape, x = x[0], y] { kernels::add(tape.gradient(y), tape.gradient(x)); });
        return y;
      }};
  EXPECT_GT(check_gradients(wrong, 1).worst, gradient_tolerance());
}

TEST(CollectedLinear, TakesTheStepsOfItsInputsOnly) {
  Arena arena;
  ParameterStore store;
  const Parameter& weight = store.add("w", {2, 3}, Init::glorot);
  store.allocate(true);
  store.initialise(1);
  Tape tape(arena, true);
  const Var into = broadcast(tape, nullptr, {4, 5, 3});
  const Var inputs = tape.leaf(arena.zeros({4, 5, 2})), others = tape.leaf(arena.zeros({4, 5, 2}));
  EXPECT_THROW(CollectedLinear(tape, weight, into, tape.leaf(arena.zeros({4, 5, 3}))),
               InternalError);
  CollectedLinear product(tape, weight, into, inputs);
  EXPECT_NO_THROW(product.step(1, tape.at(inputs, 1)));
  EXPECT_THROW(product.step(2, tape.at(inputs, 1)), InternalError);
  EXPECT_THROW(product.step(2, tape.at(others, 2)), InternalError);
}

TEST(CrossEntropyOp, MustEndTheTape) {
  Arena arena;
  ParameterStore store;
  Parameter& weight = store.add("w", {4, 2}, Init::glorot);
  Parameter& bias = store.add("b", {4}, Init::zero);
  store.allocate(true);
  store.initialise(1);
  Tape tape(arena, true);
  const int32_t target = 1;
  const Ids targets = upload(arena, {&target, 1}, {1}, {0, 4});
  Var loss =
      project_and_cross_entropy(tape, tape.leaf(arena.zeros({1, 2})), weight, bias, targets, 0)
          .loss;
  Var twice = add(tape, loss, loss);
  EXPECT_THROW(tape.backward(twice), InternalError);
}

// Blocks of rows one after the other give what all rows at once give; 769 and 1,600 rows are two
// blocks and three.
class CrossEntropyBlocks : public testing::TestWithParam<int64_t> {
 protected:
  static constexpr int64_t kR = 3, kV = 5;
  static constexpr Real kSmoothing = Real(0.1);

  CrossEntropyBlocks() {
    store_.allocate(true);
    store_.initialise(1);
    for (int64_t i = 0; i < hidden_.size(); ++i)
      hidden_.data[i] = static_cast<Real>(i * 7 % 11) / 11 - Real(0.5);
    std::vector<int32_t> targets(static_cast<size_t>(M_));
    for (size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<int32_t>(i * i % kV);
    targets_ = upload(arena_, targets, {M_}, {0, kV});
  }

  int64_t M_ = GetParam();
  Arena arena_;
  ParameterStore store_;
  Parameter& weight_ = store_.add("w", {kV, kR}, Init::glorot);
  Parameter& bias_ = store_.add("b", {kV}, Init::zero);
  Tensor hidden_ = arena_.tensor({M_, kR}), dhidden_ = arena_.zeros(hidden_.shape);
  Ids targets_;
};

TEST_P(CrossEntropyBlocks, GiveWhatAllRowsAtOnceGive) {
  Tape tape(arena_, true);
  const CrossEntropyResult result = project_and_cross_entropy(tape, tape.leaf(hidden_, dhidden_),
                                                              weight_, bias_, targets_, kSmoothing);
  tape.backward(result.loss);

  Arena arena;
  Tape plain(arena, true);
  const Tensor dhidden = arena.zeros(hidden_.shape), dweight = arena.zeros(weight_.value.shape);
  std::copy_n(weight_.gradient.data, dweight.size(), dweight.data);
  kernels::fill(store_.gradients(), 0);
  const Var logits = linear_transposed(plain, plain.leaf(hidden_, dhidden), weight_, &bias_);
  const kernels::RowLosses losses{arena.array<double>({M_}), arena.array<double>({M_})};
  const Tensor dlogits = plain.gradient(logits);
  kernels::copy(logits.value(), dlogits);
  kernels::cross_entropy_in_place(dlogits, targets_, kSmoothing, Real(1) / static_cast<Real>(M_),
                                  losses);
  plain.backward();
  const auto sum = [](const Sums& all) {
    const std::vector<double> values = download(all);
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  const double mean = sum(losses.smoothed) / static_cast<double>(M_);
  EXPECT_NEAR(static_cast<double>(item(result.loss.value())), mean, 1e-6);
  EXPECT_NEAR(download(result.totals)[0], mean, 1e-6);
  EXPECT_NEAR(download(result.totals)[1], sum(losses.nll), 1e-3);
  for (int64_t i = 0; i < dhidden.size(); ++i)
    ASSERT_NEAR(dhidden_.data[i], dhidden.data[i], 1e-8) << i;
  for (int64_t i = 0; i < dweight.size(); ++i)
    ASSERT_NEAR(dweight.data[i], weight_.gradient.data[i], 1e-5) << i;
}

TEST_P(CrossEntropyBlocks, GiveTheWeightItsGradientIfTheHiddenNeedNone) {
  Tape tape(arena_, true);
  const Var constant = tape.constant(hidden_);
  tape.backward(
      project_and_cross_entropy(tape, constant, weight_, bias_, targets_, kSmoothing).loss);
  const std::vector<Real> gradient = download(weight_.gradient);
  EXPECT_TRUE(std::any_of(gradient.begin(), gradient.end(), [](Real x) { return x != 0; }));
}

INSTANTIATE_TEST_SUITE_P(Rows, CrossEntropyBlocks, testing::Values(1, 64, 768, 769, 1600));

TEST(Tape, KeepsNothingWhenNotRecording) {
  Arena arena;
  Tape tape(arena, false);
  Var x = tape.leaf(arena.zeros({2, 2}));
  EXPECT_FALSE(tanh(tape, x).needs_gradient());
  EXPECT_THROW(tape.gradient(x), InternalError);
}

TEST(Dropout, OfRateZeroIsTheValueItself) {
  Arena arena;
  Tape tape(arena, true);
  Var x = tape.leaf(arena.zeros({2, 2}));
  EXPECT_EQ(dropout(tape, x, 0, {}).value().data, x.value().data);
  EXPECT_THROW(dropout(tape, x, 1, {}), InternalError);
}

}  // namespace
}  // namespace heed
