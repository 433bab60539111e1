// A view of elements in the memory of some device. It owns nothing; an Arena or a Buffer does.
// Only files below tensor/ read `data`, since the host can't read every device: all others upload
// and download (tensor/transfer.h).
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/real.h"
#include "tensor/shape.h"

namespace heed {

enum class Device : uint8_t { cpu, cuda };

template <typename T>
struct View {
  T* data = nullptr;
  Shape shape;
  Device device = Device::cpu;

  bool empty() const { return data == nullptr; }
  int64_t size() const { return shape.size(); }
  // Elements [i] along the first axis: of [T, B, H] the step i, [B, H].
  View at(int64_t i) const;
  // Rows [begin, end) along the first axis.
  View slice(int64_t begin, int64_t end) const;
  // The same elements under another shape of equal size.
  View reshaped(const Shape& to) const;
  // A view to write is one to read as well.
  operator View<const T>() const requires(!std::is_const_v<T>) { return {data, shape, device}; }
};

// The operands of kernels.
using Tensor = View<Real>;
using Ids = View<const int32_t>;    // token ids, rows, lengths
using Flags = View<const uint8_t>;  // 0 or 1
// Sums in double, also if Real is float.
using Sums = View<double>;

}  // namespace heed
