#include "text/line_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace heed {
namespace {

// Lines "0000000", "0000001", ... of 7 bytes.
LineSample sample_of(int count, int64_t max_bytes) {
  LineSample sample(max_bytes);
  for (int i = 0; i < count; ++i) {
    const std::string digits = std::to_string(i);
    sample.add(std::string(7 - digits.size(), '0') + digits);
  }
  return sample;
}

TEST(LineSample, IsTheWholeTextIfThatFits) {
  const LineSample sample = sample_of(1000, 7000);
  ASSERT_EQ(sample.lines().size(), 1000U);
  EXPECT_EQ(sample.lines()[999], "0000999");
  EXPECT_EQ(sample.seen(), 1000);
  EXPECT_LT(sample_of(1001, 7000).lines().size(), 1000U);
}

TEST(LineSample, FillsItsRoomAtLeastToAThird) {
  for (const int count : {2000, 10000, 100000}) {
    const LineSample sample = sample_of(count, 7000);
    EXPECT_LE(sample.lines().size(), 1000U) << count;
    EXPECT_GE(sample.lines().size(), 333U) << count;
    EXPECT_EQ(sample.seen(), count);
  }
}

TEST(LineSample, TakesFromAllPartsAlikeAndKeepsTheOrder) {
  const LineSample sample = sample_of(100000, 70000);
  const auto& lines = sample.lines();
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
  const double sum = std::accumulate(lines.begin(), lines.end(), 0.0,
                                     [](double s, const auto& l) { return s + std::stod(l); });
  const auto count = static_cast<double>(lines.size());
  EXPECT_GE(count, 3333);
  EXPECT_NEAR(sum / count, 50000, 2500) << "5 deviations of 100000 / sqrt(12 * 3333)";
}

TEST(LineSample, IsTheSameForTheSameText) {
  EXPECT_EQ(sample_of(30000, 7000).lines(), sample_of(30000, 7000).lines());
}

}  // namespace
}  // namespace heed
