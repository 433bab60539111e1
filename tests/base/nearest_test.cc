#include "base/nearest.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(NearestName, FindsTheNameMeant) {
  const std::vector<std::string> known{"beam", "length_penalty", "batch_tokens", "epochs"};
  EXPECT_EQ(nearest_name("beem", known), "beam");
  EXPECT_EQ(nearest_name("length-penalti", known), "length_penalty");
  EXPECT_EQ(nearest_name("epoch", known), "epochs");
}

TEST(NearestName, FindsNothingIfNothingIsNear) {
  EXPECT_EQ(nearest_name("optimizer", {"beam", "epochs"}), "");
  EXPECT_EQ(nearest_name("beam", {}), "");
}

TEST(NearestName, AcceptsTwoEditsAndNotThreeInAShortName) {
  EXPECT_EQ(nearest_name("abcd", {"abxy"}), "abxy");
  EXPECT_EQ(nearest_name("abcd", {"axyz"}), "");
}

TEST(NearestName, TakesTheFirstAtATie) { EXPECT_EQ(nearest_name("bat", {"cat", "rat"}), "cat"); }

}  // namespace
}  // namespace heed
