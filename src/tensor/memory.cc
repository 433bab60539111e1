#include "tensor/memory.h"

#include <cstring>
#include <new>

#include "base/error.h"

namespace heed::memory {
namespace {

void require_cpu(Device device) {
  check(device == Device::cpu, "[memory] this build has no backend for a GPU");
}

}  // namespace

void* allocate(Device device, size_t bytes) {
  require_cpu(device);
  return ::operator new (bytes, std::align_val_t{kAlignment});
}

void free(Device device, void* data) {
  require_cpu(device);
  ::operator delete (data, std::align_val_t{kAlignment});
}

// An empty range may have a null pointer, which memcpy must not get.
void copy_in(Device device, const void* host, size_t bytes, void* data) {
  require_cpu(device);
  if (bytes > 0) std::memcpy(data, host, bytes);
}

void copy_out(Device device, const void* data, size_t bytes, void* host) {
  require_cpu(device);
  if (bytes > 0) std::memcpy(host, data, bytes);
}

void clear(Device device, void* data, size_t bytes) {
  require_cpu(device);
  std::memset(data, 0, bytes);
}

}  // namespace heed::memory
