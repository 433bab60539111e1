#include "base/memory.h"

#include <gtest/gtest.h>

#include <memory>

namespace heed {
namespace {

TEST(ResidentBytes, GrowWithWhatIsWrittenTo) {
  const int64_t before = resident_bytes();
  ASSERT_GT(before, 0);
  constexpr size_t kSize = 64'000'000, kPage = 1024;
  const std::unique_ptr<volatile char[]> memory(new volatile char[kSize]);
  for (size_t i = 0; i < kSize; i += kPage) memory[i] = 1;
  EXPECT_GT(resident_bytes(), before + 50'000'000);
}

}  // namespace
}  // namespace heed
