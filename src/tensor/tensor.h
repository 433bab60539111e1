// A view of numbers somewhere: shape, pointer, device. It owns nothing; an Arena or a
// ParameterStore does.
#pragma once

#include <cstdint>

#include "base/real.h"
#include "tensor/shape.h"

namespace heed {

enum class Device : uint8_t { cpu, cuda };

struct Tensor {
  Real* data = nullptr;
  Shape shape;
  Device device = Device::cpu;

  bool empty() const { return data == nullptr; }
  int64_t size() const { return shape.size(); }
  // Elements [i] along the first axis: of [T, B, H] the step i, [B, H].
  Tensor at(int64_t i) const;
  // Rows [begin, end) along the first axis.
  Tensor slice(int64_t begin, int64_t end) const;
  // The same numbers under another shape of equal size.
  Tensor reshaped(const Shape& to) const;
};

}  // namespace heed
