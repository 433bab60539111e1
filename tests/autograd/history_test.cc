#include "autograd/history.h"

#include <gtest/gtest.h>

#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

TEST(History, HasTheInitialStateInFrontAndGivesItItsGradient) {
  constexpr int64_t T = 3, B = 2, N = 20;
  Arena arena;
  const Tensor initial = arena.zeros({B, N}), dinitial = arena.zeros({B, N});
  kernels::fill(initial, 5);
  Tape tape(arena, true);
  History history(tape, {T, B, N});
  history.start(tape.leaf(initial, dinitial));
  EXPECT_EQ(history.before(0).value().data[B * N - 1], 5);
  EXPECT_EQ(history.before().shape(), (Shape{T, B, N}));
  EXPECT_EQ(history.after().shape(), (Shape{T, B, N}));
  for (int64_t t = 0; t < T; ++t) {
    EXPECT_EQ(history.before(t).value().data, history.before().value().at(t).data);
    EXPECT_EQ(history.after(t).value().data, history.after().value().at(t).data);
  }
  EXPECT_EQ(history.after(0).value().data, history.before(1).value().data);
  kernels::fill(tape.gradient(history.before(0)), 3);
  kernels::fill(tape.gradient(history.after(T - 1)), 4);
  tape.backward();
  EXPECT_EQ(dinitial.data[7], 3);
}

TEST(History, RunsBackFromTheLastStepInReverse) {
  constexpr int64_t T = 3, B = 2, N = 20;
  Arena arena;
  Tape tape(arena, true);
  History history(tape, {T, B, N}, true);
  history.start({});
  EXPECT_EQ(history.step(0), T - 1);
  EXPECT_EQ(history.before(T - 1).value().data[B * N - 1], 0) << "without an initial state: zeros";
  EXPECT_EQ(history.after(T - 1).value().data, history.before(T - 2).value().data);
  EXPECT_EQ(history.after().value().data, history.after(0).value().data);
}

}  // namespace
}  // namespace heed
