#include "autograd/tape.h"

#include <gtest/gtest.h>

#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

constexpr int64_t kRows = 32, kColumns = 48, kSteps = 30;
constexpr size_t kStepBytes = kRows * kColumns * sizeof(Real);
// All that a test allocates lies in an arena's first block: peak_bytes() counts the end of a block
// that something did not fit into.
static_assert(2 * (kSteps + 4) * kStepBytes < size_t{1} << 20);

// tanh of tanh of ... x, kSteps times.
Var chain(Tape& tape, Var x) {
  for (int64_t i = 0; i < kSteps; ++i) x = tanh(tape, x);
  return x;
}

TEST(Tape, TheBackwardPassTakesLittleMemoryBeyondThatOfTheForwardPass) {
  Arena arena;
  const Tensor x = arena.tensor({kRows, kColumns}), dx = arena.zeros(x.shape);
  kernels::fill(x, Real(0.5));
  Tape tape(arena, true);
  const Var y = chain(tape, tape.leaf(x, dx));
  const size_t forward = arena.peak_bytes();
  kernels::fill(tape.gradient(y), 1);
  tape.backward();
  EXPECT_LE(arena.peak_bytes(), forward + 3 * kStepBytes);
}

// d/dx of the chain is the product of 1 - y^2 over all its values y.
TEST(Tape, ReusedMemoryChangesNoGradient) {
  Arena arena;
  const Tensor x = arena.tensor({kRows, kColumns}), dx = arena.zeros(x.shape);
  for (int64_t i = 0; i < x.size(); ++i) x.data[i] = static_cast<Real>(i % 97) / 97 - Real(0.5);
  Tape tape(arena, true);
  const Var y = chain(tape, tape.leaf(x, dx));
  kernels::fill(tape.gradient(y), 1);
  tape.backward();
  for (int64_t i = 0; i < x.size(); ++i) {
    double value = x.data[i], slope = 1;
    for (int64_t step = 0; step < kSteps; ++step) {
      value = std::tanh(value);
      slope *= 1 - value * value;
    }
    ASSERT_NEAR(dx.data[i], slope, 1e-5 * slope + 1e-7);
  }
}

TEST(Tape, AResultThatTwoOpsUseLivesUntilBothHaveRunBackward) {
  Arena arena;
  const Tensor x = arena.tensor({kRows, kColumns}), dx = arena.zeros(x.shape);
  kernels::fill(x, Real(0.25));
  Tape tape(arena, true);
  const Var leaf = tape.leaf(x, dx);
  const Var early = tanh(tape, leaf);
  const Var sum = add(tape, chain(tape, early), multiply(tape, early, early));
  kernels::fill(tape.gradient(sum), 1);
  tape.backward();
  const double first = std::tanh(0.25);
  double value = first, slope = 1;
  for (int64_t step = 0; step < kSteps; ++step) {
    value = std::tanh(value);
    slope *= 1 - value * value;
  }
  EXPECT_NEAR(dx.data[7], (slope + 2 * first) * (1 - first * first), 1e-5);
}

TEST(Tape, StepsOfASequenceTakeNoMemoryUntilAGradientReachesOne) {
  Arena arena;
  Tape tape(arena, true);
  const Var sequence = tape.result({kSteps, kRows, kColumns}, true);
  const size_t before = arena.peak_bytes();
  const Var third = tape.at(sequence, 3), row = tape.reshape(third, {1, kRows * kColumns});
  EXPECT_LT(arena.peak_bytes() - before, kStepBytes);
  kernels::fill(tape.gradient(row), 2);
  EXPECT_GE(arena.peak_bytes() - before, kSteps * kStepBytes) << "one for the whole sequence";
  EXPECT_LT(arena.peak_bytes() - before, (kSteps + 1) * kStepBytes);
  EXPECT_EQ(tape.gradient(row).data, tape.gradient(sequence).at(3).data);
  EXPECT_EQ(tape.gradient(third).data[kRows * kColumns - 1], 2);
  EXPECT_EQ(tape.gradient(sequence).at(2).data[0], 0);
}

TEST(Tape, ASliceSharesElementsAndGradientWithItsSequence) {
  Arena arena;
  Tape tape(arena, true);
  const Var sequence = tape.result({kSteps, kRows, kColumns}, true);
  const Var part = tape.slice(sequence, 2, 5), last = tape.at(part, 2);
  EXPECT_EQ(part.shape(), (Shape{3, kRows, kColumns}));
  EXPECT_EQ(last.value().data, sequence.value().at(4).data);
  EXPECT_EQ(tape.gradient(last).data, tape.gradient(sequence).at(4).data);
}

TEST(Tape, AGradientMayReuseTheMemoryOfItsValue) {
  Arena arena;
  const Tensor x = arena.zeros({kRows, kColumns}), dx = arena.zeros(x.shape);
  Tape tape(arena, true);
  const Var leaf = tape.leaf(x, dx), y = add(tape, leaf, leaf);
  const Var flat = tape.reshape(y, {kRows * kColumns});
  tape.record([&tape, flat] {
    const Tensor dy = tape.gradient_in_place(flat);
    EXPECT_EQ(dy.data, flat.value().data);
    kernels::fill(dy, 3);
  });
  tape.backward();
  for (int64_t i = 0; i < dx.size(); ++i) ASSERT_EQ(dx.data[i], 6);
}

TEST(Tape, TheGradientOfAValueThatWasGivenUpStartsFromZeroInItsMemory) {
  Arena arena;
  const Tensor x = arena.tensor({kRows, kColumns}), dx = arena.zeros(x.shape);
  kernels::fill(x, 1);
  Tape tape(arena, true);
  const Var leaf = tape.leaf(x, dx), y = add(tape, leaf, leaf), z = add(tape, y, y);
  tape.give_up_value(y);
  kernels::fill(tape.gradient(z), 3);
  EXPECT_EQ(tape.gradient(y).data, y.value().data);
  tape.backward();
  for (int64_t i = 0; i < dx.size(); ++i) ASSERT_EQ(dx.data[i], 12);
  EXPECT_THROW(tape.give_up_value(leaf), InternalError);
}

TEST(Tape, FreePiecesThatTouchMakeRoomForALargerResult) {
  Arena arena;
  Tape tape(arena, true);
  const Tensor x = arena.zeros({kRows, kColumns}), dx = arena.zeros(x.shape);
  const Shape both{2, kRows, kColumns};
  const Var leaf = tape.leaf(x, dx);
  tape.record([&tape, both] { tape.scratch(both); });
  kernels::fill(tape.gradient(add(tape, leaf, leaf)), 1);
  const size_t before = arena.peak_bytes();
  tape.backward();
  EXPECT_EQ(arena.peak_bytes(), before) << "the sum and its gradient lie side by side";
}

TEST(Tape, GradientOrScratchIsZeroIfThereIsNoGradient) {
  Arena arena;
  Tape tape(arena, true);
  const Tensor x = arena.zeros({kRows, kColumns});
  const Var constant = tape.constant(x), leaf = tape.leaf(x);
  EXPECT_EQ(tape.gradient_or_scratch(leaf).data, tape.gradient(leaf).data);
  Real received = 1;
  tape.record(
      [&tape, constant, to = &received] { *to = tape.gradient_or_scratch(constant).data[5]; });
  tape.record([&tape, shape = x.shape] { kernels::fill(tape.scratch(shape), 7); });
  tape.backward();
  EXPECT_EQ(received, 0) << "the memory that held sevens";
}

TEST(Tape, AGradientInPlaceIsOfAResultThatHasNoneYet) {
  Arena arena;
  const Tensor x = arena.zeros({kRows, kColumns});
  Tape tape(arena, true);
  const Var leaf = tape.leaf(x), y = add(tape, leaf, leaf);
  EXPECT_THROW(tape.gradient_in_place(leaf), InternalError);
  EXPECT_NE(tape.gradient(leaf).data, x.data) << "a refused call changes nothing";
  EXPECT_THROW(tape.gradient_in_place(tape.constant(x)), InternalError);
  tape.gradient(y);
  EXPECT_THROW(tape.gradient_in_place(y), InternalError) << "somebody has added to it";
  const Var z = add(tape, leaf, leaf);
  tape.give_up_value(z);
  tape.gradient(z);
  EXPECT_THROW(tape.gradient_in_place(z), InternalError) << "somebody has added to it there";
}

TEST(Tape, AConsumedValueCanBeReadByItsOpOnly) {
  Arena arena;
  Tape tape(arena, true);
  const Var leaf = tape.leaf(arena.zeros({kRows, kColumns})), y = add(tape, leaf, leaf), copy = y;
  const Consumed consumed = tape.consume(y);
  EXPECT_THROW(y.value(), InternalError);
  EXPECT_THROW(copy.value(), InternalError) << "another handle of the same value";
  EXPECT_THROW(tape.at(y, 0), InternalError);
  EXPECT_NO_THROW(consumed.var().value());
  EXPECT_EQ(tape.gradient_in_place(consumed.var()).data, consumed.var().value().data);
  EXPECT_EQ(tape.gradient(y).data, consumed.var().value().data) << "the op that made it reads it";
}

TEST(Tape, AStepCanBeConsumedWhileTheOthersAreRead) {
  Arena arena;
  Tape tape(arena, true);
  const Var sequence = tape.result({kSteps, kRows, kColumns}, true);
  const Var first = tape.at(sequence, 0);
  EXPECT_EQ(tape.consume(first).shape(), first.shape());
  EXPECT_THROW(first.value(), InternalError);
  EXPECT_NO_THROW(tape.at(sequence, 1).value());
}

TEST(Tape, AGradientIsThereOnceSomebodyHasAskedForIt) {
  Arena arena;
  Tape tape(arena, true);
  const Var sequence = tape.result({kSteps, kRows, kColumns}, true), step = tape.at(sequence, 2);
  EXPECT_TRUE(tape.gradient_if_any(step).empty());
  tape.gradient(tape.at(sequence, 1));
  EXPECT_EQ(tape.gradient_if_any(step).data, tape.gradient(step).data);
  EXPECT_EQ(tape.gradient_if_any(step).data[0], 0);
}

TEST(Tape, ScratchOfABackwardFunctionIsFreeAfterIt) {
  Arena arena;
  Tape tape(arena, true);
  const Tensor x = arena.tensor({kRows, kColumns});
  const Real* places[2] = {};
  for (const Real*& place : places)
    tape.record([&tape, x, p = &place] { *p = tape.scratch(x.shape).data; });
  tape.backward();
  EXPECT_NE(places[0], nullptr);
  EXPECT_EQ(places[0], places[1]);
}

}  // namespace
}  // namespace heed
