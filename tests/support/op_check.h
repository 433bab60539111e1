// Checks in one call what every op must satisfy: gradients equal central differences (strictly in
// the double build), gradients are added to what the buffers hold, and results are the same bits
// for any number of threads.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "autograd/gradient_check.h"
#include "base/error.h"
#include "base/parallel.h"

namespace heed::test {

inline void expect_same_for_any_threads(GradientExample& example) {
  set_threads(1);
  const std::vector<Real> values = example.values(), gradients = example.gradients(0);
  set_threads(2);
  EXPECT_EQ(example.values(), values) << "values change with the number of threads";
  EXPECT_EQ(example.gradients(0), gradients) << "gradients change with the number of threads";
  set_threads(0);
}

inline void expect_accumulates(GradientExample& example) {
  const std::vector<Real> from_zero = example.gradients(0),
                          from_half = example.gradients(Real{0.5});
  ASSERT_EQ(from_zero.size(), from_half.size());
  for (size_t i = 0; i < from_zero.size(); ++i)
    EXPECT_NEAR(static_cast<double>(from_half[i]), static_cast<double>(from_zero[i]) + 0.5, 1e-5)
        << "number " << i;
}

inline void op_check(const GradientCase& c) {
  SCOPED_TRACE(c.op);
  for (const uint64_t seed : {1u, 2u, 3u}) {
    const GradientReport report = check_gradients(c, seed);
    EXPECT_GT(report.elements, 0);
    EXPECT_LE(report.worst, gradient_tolerance()) << "gradient, seed " << seed;
  }
  GradientExample example(c, 4);
  expect_accumulates(example);
  expect_same_for_any_threads(example);
}

// An op must throw a message that begins with its name if the last extent of one operand is
// off by one.
inline void expect_bad_shapes_throw(const GradientCase& c) {
  SCOPED_TRACE(c.op);
  const auto spoil = [](Shape shape) {
    shape.set_last(shape.last() + 1);
    return shape;
  };
  const auto expect_throw = [](const GradientCase& bad, const std::string& what) {
    EXPECT_THROW(GradientExample(bad, 1), InternalError) << what;
  };
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    GradientCase bad = c;
    bad.inputs[i] = spoil(c.inputs[i]);
    expect_throw(bad, "input " + std::to_string(i));
  }
}

}  // namespace heed::test
