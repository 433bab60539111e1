#include <gtest/gtest.h>

#include <set>

#include "support/op_check.h"

namespace heed {
namespace {

class EveryOp : public testing::TestWithParam<GradientCase> {};

TEST_P(EveryOp, KeepsThePromisesOfAnOp) { test::op_check(GetParam()); }

// Ops of one free input take any shape.
const std::set<std::string> kAnyShape = {"tanh",        "tanh_into",    "sigmoid", "dropout",
                                         "drop_rows",   "concat",       "repeat",  "copy_rows",
                                         "select_rows", "weighted_sum", "scale"};

TEST_P(EveryOp, RefusesShapesThatDoNotFit) {
  if (kAnyShape.count(GetParam().op) > 0) GTEST_SKIP() << "takes any shape";
  test::expect_bad_shapes_throw(GetParam());
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

TEST(CrossEntropyOp, MustEndTheTape) {
  Arena arena;
  ParameterStore store;
  Parameter& weight = store.add("w", {4, 2}, Init::glorot);
  Parameter& bias = store.add("b", {4}, Init::zero);
  store.allocate(1, true);
  Tape tape(arena, true);
  const int32_t targets[] = {1};
  Var loss =
      project_and_cross_entropy(tape, tape.leaf(arena.zeros({1, 2})), weight, bias, targets, 0)
          .loss;
  Var twice = add(tape, loss, loss);
  EXPECT_THROW(tape.backward(twice), InternalError);
}

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
