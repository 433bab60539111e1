#include "base/read_ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace heed {
namespace {

TEST(ReadAhead, GivesTheItemsInTheirOrder) {
  int made = 0;
  ReadAhead<int> numbers([&] { return made++; }, 3);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(numbers.next(), i);
}

TEST(ReadAhead, HoldsNoMoreThanItsCapacity) {
  std::atomic<int> made = 0;
  ReadAhead<int> numbers([&] { return made++; }, 3);
  while (made < 3) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(made, 3);
  numbers.next();
  while (made < 4) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(made, 4);
}

TEST(ReadAhead, RethrowsInThePlaceOfTheItem) {
  int made = 0;
  ReadAhead<int> numbers(
      [&] {
        if (made == 2) throw std::runtime_error("no third");
        return made++;
      },
      5);
  EXPECT_EQ(numbers.next(), 0);
  EXPECT_EQ(numbers.next(), 1);
  EXPECT_THROW(numbers.next(), std::runtime_error);
  EXPECT_THROW(numbers.next(), std::runtime_error);
}

TEST(ReadAhead, EndsWhileItemsWait) {
  std::atomic<int> made = 0;
  {
    ReadAhead<int> numbers([&] { return made++; }, 2);
    while (made < 2) std::this_thread::yield();
  }
  EXPECT_EQ(made, 2);
}

}  // namespace
}  // namespace heed
