#include "base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace heed {
namespace {

// RFC 4648, section 10.
TEST(Base64, GivesTheTestVectorsOfTheStandard) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes);
  }
}

TEST(Base64, AnyBytesComeBack) {
  EXPECT_TRUE(rc::check(
      [](const std::string& bytes) { RC_ASSERT(base64_decode(base64_encode(bytes)) == bytes); }));
}

TEST(Base64, RefusesInvalidText) {
  for (const char* text :
       {"Zg=", "Zg", "Z===", "====", "Zm9v\n", "Zm 9", "Zg==Zg==", "Z=g=", "Zm9\xc3"}) {
    EXPECT_FALSE(base64_decode(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace heed
