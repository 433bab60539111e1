#include "tensor/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "base/error.h"

namespace heed {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

char* bytes(Arena& arena, size_t count) {
  return reinterpret_cast<char*>(arena.array<uint8_t>({static_cast<int64_t>(count)}).data);
}

TEST(Arena, GivesAlignedTensorsThatDoNotOverlap) {
  Arena arena;
  std::vector<Tensor> tensors;
  for (int64_t n : {1, 3, 17, 31, 65, 300000, 2, 5}) {
    Tensor x = arena.tensor({n, 2});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(x.data) % 64, 0u);
    EXPECT_EQ(x.shape, (Shape{n, 2}));
    const Real value = static_cast<Real>(tensors.size());
    for (int64_t i = 0; i < x.size(); ++i) x.data[i] = value;
    tensors.push_back(x);
  }
  for (size_t t = 0; t < tensors.size(); ++t) {
    for (int64_t i = 0; i < tensors[t].size(); ++i)
      ASSERT_EQ(tensors[t].data[i], static_cast<Real>(t));
  }
}

TEST(Arena, ZerosAreZeroInUsedMemory) {
  Arena arena;
  Tensor used = arena.tensor({100});
  for (int64_t i = 0; i < 100; ++i) used.data[i] = 7;
  arena.reset();
  const Tensor zeros = arena.zeros({10, 10});
  ASSERT_EQ(zeros.data, used.data);
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(zeros.data[i], 0);
}

TEST(Arena, AnEmptyTensorHasAnAddress) {
  Arena arena;
  EXPECT_FALSE(arena.tensor({0, 5}).empty());
  EXPECT_FALSE(arena.zeros({0}).empty());
}

// What twenty requests of a third of a MiB more each get, in order.
std::vector<char*> growing_requests(Arena& arena) {
  std::vector<char*> places;
  for (size_t i = 1; i <= 20; ++i) places.push_back(bytes(arena, i * kMiB / 3));
  return places;
}

TEST(Arena, KeepsItsMemoryOverReset) {
  Arena arena;
  growing_requests(arena);
  const size_t capacity = arena.capacity_bytes(), peak = arena.peak_bytes();
  arena.reset();
  const std::vector<char*> second = growing_requests(arena);
  arena.reset();
  EXPECT_EQ(growing_requests(arena), second);
  EXPECT_EQ(arena.capacity_bytes(), capacity);
  EXPECT_LE(arena.peak_bytes(), peak);
}

TEST(Arena, ResetJoinsItsBlocksSoThatNoEndIsLeftUnused) {
  Arena arena;
  growing_requests(arena);
  arena.reset();
  const std::vector<char*> places = growing_requests(arena);
  for (size_t i = 1; i < places.size(); ++i)
    EXPECT_LT(places[i] - places[i - 1], static_cast<ptrdiff_t>(i * kMiB / 3 + 64)) << i;
}

TEST(Arena, ReleaseGivesBackWhatCameAfterTheMark) {
  Arena arena;
  char* kept = bytes(arena, 1000);
  std::memset(kept, 1, 1000);
  const Arena::Mark mark = arena.mark();
  char* scratch = bytes(arena, 64);
  bytes(arena, 3 * kMiB);  // in a block of its own
  arena.release(mark);
  EXPECT_EQ(bytes(arena, 64), scratch);
  EXPECT_EQ(kept[999], 1);
}

TEST(Arena, ReleaseOfAMarkOnAnEmptyArenaWorks) {
  Arena arena;
  const Arena::Mark mark = arena.mark();
  char* first = bytes(arena, 10);
  bytes(arena, 5 * kMiB);
  arena.release(mark);
  EXPECT_EQ(bytes(arena, 10), first);
}

TEST(Arena, RefusesAMarkThatWasGivenBackAlready) {
  Arena arena;
  bytes(arena, 1000);
  const Arena::Mark late = arena.mark();
  arena.reset();
  EXPECT_THROW(arena.release(late), InternalError);
}

TEST(Arena, PeakIsTheLargestUseSoFar) {
  Arena arena;
  EXPECT_EQ(arena.peak_bytes(), 0u);
  bytes(arena, 1000);
  EXPECT_EQ(arena.peak_bytes(), 1000u);
  arena.reset();
  bytes(arena, 500);
  EXPECT_EQ(arena.peak_bytes(), 1000u);
  bytes(arena, 4 * kMiB);
  EXPECT_GE(arena.peak_bytes(), 4 * kMiB + 500);
  EXPECT_LE(arena.peak_bytes(), arena.capacity_bytes());
}

TEST(Arena, ASmallBlockIsSkippedForALargeRequest) {
  Arena arena;
  bytes(arena, 10);
  bytes(arena, 2 * kMiB);
  arena.reset();
  char* large = bytes(arena, 2 * kMiB);
  large[0] = large[2 * kMiB - 1] = 1;
  EXPECT_GE(arena.capacity_bytes(), 3 * kMiB);
}

TEST(Arena, RefusesImpossibleSizes) {
  Arena arena;
  EXPECT_THROW(arena.array<uint8_t>({std::numeric_limits<int64_t>::max()}), InternalError);
}

TEST(HostArena, AlignsItsObjects) {
  struct alignas(4096) Page {
    char first = 7;
  };
  HostArena arena;
  EXPECT_EQ(*arena.make('x'), 'x');
  const Page* const page = arena.make(Page{});
  EXPECT_EQ(reinterpret_cast<uintptr_t>(page) % 4096, 0u);
  EXPECT_EQ(page->first, 7);
}

}  // namespace
}  // namespace heed
