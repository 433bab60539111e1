#include "base/round_up.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace heed {
namespace {

TEST(RoundUp, GivesTheNextMultiple) {
  EXPECT_EQ(round_up<int64_t>(0, 16), 0);
  EXPECT_EQ(round_up<int64_t>(1, 16), 16);
  EXPECT_EQ(round_up<int64_t>(16, 16), 16);
  EXPECT_EQ(round_up<int64_t>(17, 16), 32);
  EXPECT_EQ(round_up<size_t>(10, 3), 12u);
}

}  // namespace
}  // namespace heed
