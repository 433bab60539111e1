// Memory of a device: the one place that allocates it, frees it and copies into and out of it.
// Arena and Buffer own what is allocated here; everybody else holds views.
#pragma once

#include <cstddef>

#include "tensor/tensor.h"

namespace heed::memory {

// What a block of an arena is aligned to: a page.
constexpr size_t kAlignment = 4096;

// Uninitialised. Throws std::bad_alloc if there is none left, InternalError for a device that this
// build has no backend for; so do all below.
void* allocate(Device device, size_t bytes);
void free(Device device, void* data);

// `host` is ordinary memory, `data` is memory of the device.
void copy_in(Device device, const void* host, size_t bytes, void* data);
void copy_out(Device device, const void* data, size_t bytes, void* host);
void clear(Device device, void* data, size_t bytes);

}  // namespace heed::memory
