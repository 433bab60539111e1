// What enters a device and leaves it again, and the owners of its memory.
#include "tensor/transfer.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "base/error.h"
#include "tensor/buffer.h"

namespace heed {
namespace {

TEST(Transfer, GivesBackWhatWasUploaded) {
  Arena arena;
  for (const int64_t n : {0, 1, 3, 17, 65}) {
    std::vector<Real> elements(static_cast<size_t>(3 * n));
    std::iota(elements.begin(), elements.end(), Real(0.5));
    std::vector<int32_t> ids(static_cast<size_t>(n));
    std::iota(ids.begin(), ids.end(), 0);
    const Tensor x = upload(arena, elements, {3, n});
    EXPECT_EQ(x.shape, (Shape{3, n}));
    EXPECT_EQ(x.device, arena.device());
    EXPECT_EQ(download(x), elements);
    std::vector<Real> into(elements.size());
    download(x, into);
    EXPECT_EQ(into, elements);
    EXPECT_EQ(download(upload(arena, ids, {n}, {0, n})), ids);
  }
  const std::vector<uint8_t> flags = {1, 0, 1};
  const Flags valid = upload(arena, flags, {3});
  EXPECT_EQ(std::vector<uint8_t>(valid.data, valid.data + 3), flags);
}

TEST(Transfer, CopiesSoThatTheHostMayChangeItsOwn) {
  Arena arena;
  std::vector<int32_t> ids = {4, 5};
  const Ids uploaded = upload(arena, ids, {2}, {0, 6});
  ids[0] = 0;
  EXPECT_EQ(download(uploaded), (std::vector<int32_t>{4, 5}));
}

TEST(Transfer, OverwritesMemoryThatExists) {
  Arena arena;
  const Tensor x = arena.zeros({2, 2});
  const std::vector<Real> elements = {1, 2, 3, 4}, few = {1};
  upload(elements, x);
  EXPECT_EQ(download(x), elements);
  EXPECT_EQ(item(x.at(1).at(0)), 3);
  EXPECT_THROW(upload(few, x), InternalError);
  EXPECT_THROW(item(x), InternalError);
}

TEST(Transfer, DownloadsSums) {
  Arena arena;
  const Sums sums = arena.array<double>({2});
  sums.data[0] = 1.5;
  sums.data[1] = -2;
  EXPECT_EQ(download(sums), (std::vector<double>{1.5, -2}));
}

TEST(Transfer, RefusesIdsOutsideTheirRange) {
  Arena arena;
  const std::vector<int32_t> ids = {0, -1, 7};
  EXPECT_NO_THROW(upload(arena, ids, {3}, {-1, 8}));
  EXPECT_THROW(upload(arena, ids, {3}, {0, 8}), InternalError);
  try {
    upload(arena, ids, {3}, {-1, 7});
    FAIL() << "no error";
  } catch (const InternalError& error) {
    EXPECT_STREQ(error.what(), "[upload] ids lie in [-1, 7). Received 7 at 2");
  }
}

TEST(Transfer, RefusesOtherSizesThanTheShapes) {
  Arena arena;
  const std::vector<int32_t> ids = {0, 1};
  const std::vector<Real> elements(3);
  std::vector<Real> into(2);
  EXPECT_THROW(upload(arena, ids, {3}, {0, 2}), InternalError);
  EXPECT_THROW(upload(arena, elements, {2, 2}), InternalError);
  EXPECT_THROW(download(arena.zeros({3}), into), InternalError);
}

TEST(Buffer, IsZeroAndAligned) {
  const Buffer buffer(Device::cpu, 100);
  EXPECT_EQ(buffer.all().shape, Shape{100});
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.all().data) % 64, 0u);
  EXPECT_EQ(download(buffer.all()), std::vector<Real>(100));
}

TEST(View, KnowsWhereItsPartsAre) {
  Arena arena;
  const Tensor x = arena.tensor({100}), part = x.part(10, {3, 30});
  EXPECT_EQ(part.data, x.data + 10);
  EXPECT_EQ(part.shape, (Shape{3, 30}));
  EXPECT_EQ(x.offset_of(part.at(1)), 40);
  EXPECT_TRUE(x.slice(10, 20).starts_with(part));
  EXPECT_FALSE(x.starts_with(part));
  EXPECT_THROW(x.part(11, {3, 30}), InternalError);
  EXPECT_THROW(x.part(-1, {3, 30}), InternalError);
}

TEST(HostView, ReadsTheMemoryItselfIfTheHostCan) {
  Arena arena;
  const Tensor x = upload(arena, std::vector<Real>{1, 2, 3, 4, 5, 6}, {3, 1, 2});
  const HostView view(x);
  EXPECT_EQ(view.all().data(), x.data);
  EXPECT_EQ(view.row(2)[1], 6);
  EXPECT_EQ(view.row(1).size(), 2U);
}

TEST(Buffer, MovesItsMemory) {
  Buffer first(Device::cpu, 3), second;
  Real* const data = first.all().data;
  EXPECT_TRUE(second.all().empty());
  second = std::move(first);
  EXPECT_EQ(second.all().data, data);
  const Buffer third(std::move(second));
  EXPECT_EQ(third.all().data, data);
}

// No memory is said to be on a device that this build can't compute on.
TEST(DeviceMemory, IsRefusedWithoutABackend) {
  Arena arena(Device::cuda);
  EXPECT_EQ(arena.device(), Device::cuda);
  EXPECT_THROW(arena.tensor({3}), InternalError);
  EXPECT_THROW(Buffer(Device::cuda, 3), InternalError);
  try {
    arena.tensor({3});
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("no backend for a GPU"), std::string::npos);
  }
}

}  // namespace
}  // namespace heed
