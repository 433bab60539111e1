#include "train/progress.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(ProgressLine, ShowsBarTimeLeftAndRate) {
  EXPECT_EQ(
      progress_line({120, 2, 0.5, 3.2109, 5120.4, 187}, 200),
      "[##########..........] 50%, 3:07 left  update 120, epoch 2, loss 3.211, 5,120 tokens/s");
}

TEST(ProgressLine, ShowsHoursAndThatTheTimeIsNotKnownYet) {
  EXPECT_NE(progress_line({1, 1, 0.01, 1, 1, 7265}, 200).find(" 1%, 2:01:05 left"),
            std::string::npos);
  EXPECT_NE(progress_line({1, 1, 0, 1, 1, {}}, 200).find(" 0%, ? left"), std::string::npos);
}

TEST(ProgressLine, HasNoBarWithoutALimit) {
  EXPECT_EQ(progress_line({7, 1, -1, 2, 10, {}}, 200),
            "update 7, epoch 1, loss 2.000, 10 tokens/s");
}

TEST(ProgressLine, IsCutToTheTerminal) {
  EXPECT_EQ(progress_line({120, 2, 0.5, 3.2, 5120, 187}, 30).size(), 30u);
  EXPECT_EQ(progress_line({120, 2, 0.5, 3.2, 5120, 187}, 0), "");
}

}  // namespace
}  // namespace heed
