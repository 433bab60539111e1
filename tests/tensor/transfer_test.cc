// What enters and leaves a device, and the memory it is in.
#include "tensor/transfer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tensor/buffer.h"
#include "tensor/memory.h"

namespace heed {
namespace {

TEST(Upload, CopiesIntoTheArenaAndBack) {
  Arena arena;
  std::vector<Real> values = {1, 2, 3, 4, 5, 6};
  const Tensor x = upload(arena, values, {2, 3});
  values[5] = 9;
  EXPECT_EQ(download(x), (std::vector<Real>{1, 2, 3, 4, 5, 6})) << "a copy of its own";
  EXPECT_EQ(item(x.part(4, {})), 5);
  EXPECT_THROW(item(x), InternalError);
  EXPECT_THROW(upload(arena, values, {7}), InternalError);
  upload(values, x);
  EXPECT_EQ(download(x)[5], 9);
  EXPECT_THROW(upload(values, x.at(0)), InternalError);
}

TEST(Upload, TakesIdsInTheirRangeOnly) {
  Arena arena;
  const std::vector<int32_t> ids = {0, 4, 2, -1};
  EXPECT_EQ(download(upload(arena, ids, {2, 2}, {-1, 5})), ids);
  EXPECT_THROW(upload(arena, ids, {4}, {0, 5}), InternalError);
  EXPECT_THROW(upload(arena, ids, {4}, {-1, 4}), InternalError);
  EXPECT_THROW(upload(arena, ids, {3}, {-1, 5}), InternalError);
}

TEST(HostView, ReadsTheMemoryItselfIfTheHostCan) {
  Arena arena;
  const Tensor x = upload(arena, std::vector<Real>{1, 2, 3, 4, 5, 6}, {3, 1, 2});
  const HostView view(x);
  EXPECT_EQ(view.all().data(), x.data);
  EXPECT_EQ(view.row(2)[1], 6);
  EXPECT_EQ(view.row(1).size(), 2U);
}

TEST(Memory, OfADeviceWithoutABackendIsRefused) {
  EXPECT_THROW(memory::allocate(Device::cuda, 8), InternalError);
  Arena arena(Device::cuda);
  EXPECT_EQ(arena.device(), Device::cuda);
  EXPECT_THROW(arena.tensor({2}), InternalError);
  EXPECT_THROW(Buffer(Device::cuda, 4), InternalError);
}

TEST(Buffer, IsZeroAndAligned) {
  Buffer buffer(Device::cpu, 100);
  EXPECT_EQ(download(buffer.all()), std::vector<Real>(100, 0));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.all().data) % 64, 0U);
  const Real* const data = buffer.all().data;
  const Buffer moved = std::move(buffer);
  EXPECT_EQ(moved.all().data, data);
  EXPECT_TRUE(Buffer().all().empty());
}

TEST(View, KnowsWhereItsPartsAre) {
  Arena arena;
  const Tensor x = arena.tensor({4, 3});
  const Tensor row = x.at(2);
  EXPECT_EQ(x.offset_of(row), 6);
  EXPECT_TRUE(x.part(6, {3}).starts_with(row));
  EXPECT_FALSE(x.starts_with(row));
  EXPECT_THROW(x.part(10, {3}), InternalError);
  EXPECT_THROW(x.part(-1, {3}), InternalError);
}

}  // namespace
}  // namespace heed
