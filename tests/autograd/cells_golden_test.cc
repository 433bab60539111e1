// Whole GRU and LSTM layers in both directions against an independent program
// (scripts/goldens/cells.py): outputs and every gradient, with sentences that end early.
#include <gtest/gtest.h>

#include "autograd/ops.h"
#include "support/golden.h"
#include "support/golden_tape.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

struct Layer {
  std::string cell, direction;
  bool lstm() const { return cell == "lstm"; }
};

class CellGolden : public testing::TestWithParam<Layer> {
 protected:
  CellGolden()
      : golden_(test::load_golden(GetParam().cell)),
        expected_(golden_.at(GetParam().direction)),
        lengths_(golden_.at("lengths").get<std::vector<int32_t>>()) {
    for (const auto& [name, json] : expected_.at("parameters").items()) {
      if (name == "h0" || name == "c0") continue;
      const test::GoldenTensor t = test::golden_tensor(json);
      store_.add(name, test::golden_shape(t), Init::zero);
    }
    store_.allocate(true);
    store_.initialise(1);
    for (Parameter& p : store_.parameters())
      test::fill(p.value, test::golden_tensor(expected_.at("parameters").at(p.name)));
    static_cast<void>(store_.update());
  }

  Var leaf(Tape& tape, const test::Golden& json) {
    return tape.leaf(test::tensor_in(arena_, test::golden_tensor(json)));
  }
  const Parameter& parameter(const char* name) { return *store_.find(name); }

  Var sequence(Tape& tape, Var input, Var h0, Var c0) {
    const test::Golden& sizes = golden_.at("sizes");
    const int64_t S = sizes.at("S"), B = sizes.at("B");
    const bool reverse = GetParam().direction == "backward";
    std::vector<uint8_t> valid;
    for (int64_t s = 0; s < S; ++s)
      for (const int32_t length : lengths_) valid.push_back(s < length);
    const SequenceOptions options{upload(arena_, valid, {S, B}), reverse, 0, {}};
    if (GetParam().lstm()) {
      Var x = linear(tape, input, parameter("W"), &parameter("b"));
      return lstm_sequence(tape, tape.consume(x), parameter("U"), {h0, c0}, options);
    }
    Var x = linear(tape, input, parameter("W"), &parameter("b_ih"));
    return gru_sequence(tape, tape.consume(x), parameter("U"), parameter("b_hh"), h0, options);
  }

  test::Golden golden_, expected_;
  std::vector<int32_t> lengths_;
  ParameterStore store_;
  Arena arena_;
};

TEST_P(CellGolden, GivesTheStatesAndEveryGradient) {
  Arena memory;
  Tape tape(memory, true);
  const test::Golden& parameters = expected_.at("parameters");
  const Var input = leaf(tape, golden_.at("input")), h0 = leaf(tape, parameters.at("h0"));
  const Var c0 = GetParam().lstm() ? leaf(tape, parameters.at("c0")) : Var();
  const Var out = sequence(tape, input, h0, c0);
  test::expect_near(out.value(), test::golden_tensor(expected_.at("output")), 1e-5, "output");

  // The golden's loss weighs all outputs and, once more, the final state: the last step, or the
  // first in reverse.
  const Tensor gradient = tape.gradient(out);
  test::fill(gradient, test::golden_tensor(expected_.at("loss_weights").at("output")));
  const int64_t last = GetParam().direction == "backward" ? 0 : out.shape()[0] - 1;
  const Tensor weights =
      test::tensor_in(arena_, test::golden_tensor(expected_.at("loss_weights").at("final")));
  kernels::add(weights.reshaped(gradient.at(last).shape), gradient.at(last));
  tape.backward();

  const test::Golden& gradients = expected_.at("gradients");
  const auto expect = [&](const Tensor& t, const char* name) {
    test::expect_near(t, test::golden_tensor(gradients.at(name)), 1e-5, name);
  };
  expect(tape.gradient(input), "input");
  expect(tape.gradient(h0), "h0");
  if (GetParam().lstm()) expect(tape.gradient(c0), "c0");
  for (const Parameter& p : store_.parameters()) expect(p.gradient, p.name.c_str());
}

INSTANTIATE_TEST_SUITE_P(Layers, CellGolden,
                         testing::Values(Layer{"gru", "forward"}, Layer{"gru", "backward"},
                                         Layer{"lstm", "forward"}, Layer{"lstm", "backward"}),
                         [](const auto& test) {
                           return test.param.cell + "_" + test.param.direction;
                         });

}  // namespace
}  // namespace heed
