// Memory of a device: the only functions that allocate it, free it and copy into and out of it.
// Arena and Buffer own what is allocated here; all others hold views.
#pragma once

#include <cstddef>

#include "tensor/tensor.h"

namespace heed::memory {

// Of all allocations, in bytes: a page.
constexpr size_t kAlignment = 4096;

// Uninitialised. Throws std::bad_alloc if there is no memory left. Like all functions here, throws
// InternalError for a device that this build has no backend for.
void* allocate(Device device, size_t bytes);
void free(Device device, void* data);

// `host` is ordinary memory, `data` is memory of the device.
void copy_in(Device device, const void* host, size_t bytes, void* data);
void copy_out(Device device, const void* data, size_t bytes, void* host);
void clear(Device device, void* data, size_t bytes);

}  // namespace heed::memory
