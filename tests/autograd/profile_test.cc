#include "autograd/profile.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "autograd/ops.h"

namespace heed {
namespace {

class ProfileTest : public ::testing::Test {
 protected:
  ProfileTest() {
    weight_ = &store_.add("w", {4, 6}, Init::glorot);
    store_.allocate(true);
    store_.initialise(1);
  }

  // y [5, 6] = x [5, 4] W, and back.
  void step() {
    arena_.reset();
    Tape tape(arena_, true);
    const Var x = tape.leaf(arena_.zeros({5, 4}));
    const Var y = linear(tape, x, *weight_, nullptr);
    kernels::fill(tape.gradient(y), 1);
    tape.backward();
  }

  ParameterStore store_;
  Parameter* weight_;
  Arena arena_;
};

TEST_F(ProfileTest, CountsTheOperationsOfProductsByOp) {
  Profile profile;
  step();
  step();
  const auto& costs = profile.costs();
  EXPECT_EQ(costs.at("linear").calls, 2);
  EXPECT_EQ(costs.at("linear backward").calls, 2);
  EXPECT_EQ(costs.at("linear").work.operations, 2 * 2 * 5 * 4 * 6);
  EXPECT_EQ(costs.at("linear backward").work.operations, 2 * 2 * 2 * 5 * 4 * 6);
  EXPECT_EQ(costs.at("pack weights").calls, 2) << "W and its transpose, once each";
}

TEST_F(ProfileTest, GivesTimeToTheInnermostScope) {
  const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  Profile profile;
  {
    const OpScope outer("outer");
    sleep();
    const OpScope inner("inner");
    sleep();
  }
  sleep();
  const auto& costs = profile.costs();
  for (const char* name : {"outer", "inner", "other"})
    EXPECT_GE(costs.at(name).seconds, 0.015) << name;
}

TEST_F(ProfileTest, ScopesAreFreeWithoutAProfile) {
  { const OpScope scope("before"); }
  Profile profile;
  EXPECT_EQ(profile.costs().count("before"), 0u);
}

}  // namespace
}  // namespace heed
