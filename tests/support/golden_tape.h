// Golden values as tensors on a tape.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/golden.h"
#include "tensor/arena.h"
#include "tensor/tensor.h"

namespace heed::test {

inline Shape golden_shape(const GoldenTensor& t) {
  switch (t.shape.size()) {
    case 0:
      return {};
    case 1:
      return {t.shape[0]};
    case 2:
      return {t.shape[0], t.shape[1]};
    default:
      return {t.shape.at(0), t.shape.at(1), t.shape.at(2)};
  }
}

inline void fill(Tensor to, const GoldenTensor& from) {
  ASSERT_EQ(to.size(), static_cast<int64_t>(from.data.size()));
  for (size_t i = 0; i < from.data.size(); ++i) to.data[i] = static_cast<Real>(from.data[i]);
}

inline Tensor tensor_in(Arena& arena, const GoldenTensor& from) {
  const Tensor t = arena.tensor(golden_shape(from));
  fill(t, from);
  return t;
}

inline void expect_near(const Tensor& actual, const GoldenTensor& expected, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(actual.size(), static_cast<int64_t>(expected.data.size())) << what;
  for (size_t i = 0; i < expected.data.size(); ++i)
    EXPECT_NEAR(static_cast<double>(actual.data[i]), expected.data[i], tolerance)
        << what << " " << i;
}

}  // namespace heed::test
