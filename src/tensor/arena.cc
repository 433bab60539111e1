#include "tensor/arena.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/round_up.h"
#include "tensor/memory.h"

namespace heed {
namespace {

constexpr size_t kSmallestBlock = size_t{1} << 20;

// Blocks of arenas that no longer exist, for later arenas of the same thread: a search makes arenas
// for every batch, and pages that are new to the process cost more than what is computed in them.
class SpareBlocks {
 public:
  explicit SpareBlocks(Device device) : device_(device) {}
  ~SpareBlocks() { clear(); }

  void clear() {
    for (const auto& [size, data] : by_size_) memory::free(device_, data);
    by_size_.clear();
    bytes_ = 0;
  }

  // The smallest that holds `size` bytes, and its size; null if there is none.
  std::pair<char*, size_t> take(size_t size) {
    const auto found = by_size_.lower_bound(size);
    if (found == by_size_.end()) return {nullptr, 0};
    const std::pair<char*, size_t> block{found->second, found->first};
    bytes_ -= found->first;
    by_size_.erase(found);
    return block;
  }

  void keep(char* data, size_t size) {
    if (!holds(bytes_ + size)) return memory::free(device_, data);
    by_size_.emplace(size, data);
    bytes_ += size;
  }

  static bool holds(size_t bytes) { return bytes <= kMostBytes; }

 private:
  static constexpr size_t kMostBytes = size_t{64} << 20;
  Device device_;
  std::multimap<size_t, char*> by_size_;
  size_t bytes_ = 0;
};

SpareBlocks& spare_blocks(Device device) {
  static thread_local SpareBlocks cpu(Device::cpu), cuda(Device::cuda);
  return device == Device::cpu ? cpu : cuda;
}

}  // namespace

Arena::~Arena() {
  for (const Block& block : blocks_) spare_blocks(device_).keep(block.data, block.size);
}

void Arena::free_spare_blocks() {
  spare_blocks(Device::cpu).clear();
  spare_blocks(Device::cuda).clear();
}

Arena::Block Arena::make_block(size_t size) const {
  const auto [data, spare_size] = spare_blocks(device_).take(size);
  if (data != nullptr) return {data, spare_size};
  return {static_cast<char*>(memory::allocate(device_, size)), size};
}

void* Arena::bytes(size_t count, size_t alignment) {
  check(alignment > 0 && memory::kAlignment % alignment == 0,
        "[Arena] an alignment that divides {}. Received {}", +memory::kAlignment, alignment);
  check(count <= std::numeric_limits<size_t>::max() / 4,
        "[Arena] a size that memory can hold. Received {}", count);
  const size_t need = std::max<size_t>(count, 1);  // an empty tensor has an address, too
  for (; block_ < blocks_.size(); before_ += blocks_[block_].size, ++block_, used_ = 0) {
    const size_t start = round_up(used_, alignment);
    if (start + need > blocks_[block_].size) continue;
    used_ = start + need;
    peak_ = std::max(peak_, before_ + used_);
    return blocks_[block_].data + start;
  }
  // Blocks grow with the whole, so that their number stays small.
  const size_t size =
      round_up(std::max({need, kSmallestBlock, capacity_bytes() / 2}), memory::kAlignment);
  blocks_.push_back(make_block(size));
  used_ = need;
  peak_ = std::max(peak_, before_ + used_);
  return blocks_[block_].data;
}

Tensor Arena::zeros(const Shape& shape) {
  Tensor result = tensor(shape);
  memory::clear(device_, result.data, static_cast<size_t>(shape.size()) * sizeof(Real));
  return result;
}

void Arena::release(Mark mark) {
  check(mark.block < block_ || (mark.block == block_ && mark.used <= used_),
        "[Arena] release() of a mark that is still in use. Received ({}, {}), in use ({}, {})",
        mark.block, mark.used, block_, used_);
  for (; block_ > mark.block; --block_) before_ -= blocks_[block_ - 1].size;
  used_ = mark.used;
}

// The old blocks of a large arena go back to the system: as spare ones they would take memory in
// addition to the new one, whose pages take none until they are used.
void Arena::reset() {
  release({0, 0});
  if (blocks_.size() < 2) return;
  const size_t size = capacity_bytes();
  for (const Block& block : blocks_) {
    if (SpareBlocks::holds(size)) {
      spare_blocks(device_).keep(block.data, block.size);
    } else {
      memory::free(device_, block.data);
    }
  }
  blocks_.clear();
  blocks_.push_back(make_block(size));
}

size_t Arena::capacity_bytes() const {
  size_t total = 0;
  for (const Block& block : blocks_) total += block.size;
  return total;
}

}  // namespace heed
