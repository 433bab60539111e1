// Flat memory that lives as long as its owner: the parameters of a model, their gradients.
#pragma once

#include <cstdint>

#include "tensor/tensor.h"

namespace heed {

// Aligned to 64 bytes, zero at first.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device device, int64_t elements);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  const Tensor& all() const { return all_; }  // [elements]; empty for a buffer without memory

 private:
  Tensor all_;
};

}  // namespace heed
