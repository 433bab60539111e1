#include "tensor/buffer.h"

#include <algorithm>
#include <utility>

#include "tensor/memory.h"

namespace heed {

Buffer::Buffer(Device device, int64_t elements) {
  const size_t bytes = std::max<size_t>(1, static_cast<size_t>(elements) * sizeof(Real));
  all_ = {static_cast<Real*>(memory::allocate(device, bytes)), Shape{elements}, device};
  memory::clear(device, all_.data, bytes);
}

Buffer::~Buffer() {
  if (!all_.empty()) memory::free(all_.device, all_.data);
}

Buffer::Buffer(Buffer&& other) noexcept : all_(std::exchange(other.all_, {})) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(all_, other.all_);
  return *this;
}

}  // namespace heed
