#include "base/numbers.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <clocale>
#include <cmath>

namespace heed {
namespace {

TEST(Numbers, ParsesWholeTextsOnly) {
  EXPECT_EQ(parse_int("-42"), -42);
  EXPECT_EQ(parse_int("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_real("1.5e-3"), 0.0015);
  EXPECT_EQ(parse_real("7"), 7.0);
  for (const char* text : {"", " 1", "1 ", "1x", "x", "1,5", "0x10", "+1", "--1"}) {
    EXPECT_FALSE(parse_int(text)) << text;
    EXPECT_FALSE(parse_real(text)) << text;
  }
  EXPECT_FALSE(parse_int("1.0"));
}

TEST(Numbers, RefusesWhatIsOutOfRange) {
  EXPECT_FALSE(parse_int("9223372036854775808"));
  EXPECT_FALSE(parse_real("1e999"));
  EXPECT_FALSE(parse_real("nan"));
  EXPECT_FALSE(parse_real("inf"));
}

TEST(Numbers, FormatsTheSameInEveryLocale) {
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // if it is installed
  EXPECT_EQ(format_real(0.1), "0.1");
  EXPECT_EQ(format_fixed(33.456, 2), "33.46");
  EXPECT_EQ(parse_real("1.5"), 1.5);
  std::setlocale(LC_ALL, "C");
}

TEST(Numbers, RealsReadBackAsTheSameNumber) {
  EXPECT_TRUE(rc::check([](double value) {
    RC_PRE(std::isfinite(value));
    RC_ASSERT(parse_real(format_real(value)) == value);
  }));
}

TEST(Numbers, GroupsThousands) {
  EXPECT_EQ(format_thousands(0), "0");
  EXPECT_EQ(format_thousands(999), "999");
  EXPECT_EQ(format_thousands(1000), "1,000");
  EXPECT_EQ(format_thousands(-1234567), "-1,234,567");
  EXPECT_EQ(format_thousands(-123), "-123");
}

}  // namespace
}  // namespace heed
