#include "tensor/arena.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "base/error.h"

namespace heed {
namespace {

constexpr size_t kBlockAlignment = 4096;
constexpr size_t kSmallestBlock = size_t{1} << 20;

size_t round_up(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

Arena::~Arena() {
  for (const Block& block : blocks_)
    ::operator delete (block.data, std::align_val_t{kBlockAlignment});
}

void* Arena::bytes(size_t count, size_t alignment) {
  check(alignment > 0 && kBlockAlignment % alignment == 0,
        "[Arena] an alignment that divides {}. Received {}", +kBlockAlignment, alignment);
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
      round_up(std::max({need, kSmallestBlock, capacity_bytes() / 2}), kBlockAlignment);
  blocks_.push_back(
      {static_cast<char*>(::operator new (size, std::align_val_t{kBlockAlignment})), size});
  used_ = need;
  peak_ = std::max(peak_, before_ + used_);
  return blocks_[block_].data;
}

Tensor Arena::tensor(const Shape& shape) {
  return {static_cast<Real*>(bytes(static_cast<size_t>(shape.size()) * sizeof(Real))), shape,
          Device::cpu};
}

Tensor Arena::zeros(const Shape& shape) {
  Tensor result = tensor(shape);
  std::memset(result.data, 0, static_cast<size_t>(shape.size()) * sizeof(Real));
  return result;
}

void Arena::release(Mark mark) {
  check(mark.block < block_ || (mark.block == block_ && mark.used <= used_),
        "[Arena] release() of a mark that is still in use. Received ({}, {}), in use ({}, {})",
        mark.block, mark.used, block_, used_);
  for (; block_ > mark.block; --block_) before_ -= blocks_[block_ - 1].size;
  used_ = mark.used;
}

size_t Arena::capacity_bytes() const {
  size_t total = 0;
  for (const Block& block : blocks_) total += block.size;
  return total;
}

}  // namespace heed
