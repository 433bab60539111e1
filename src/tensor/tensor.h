// A view of elements somewhere: pointer, shape, device. It owns nothing; an Arena or a
// ParameterStore does. Only files below tensor/ read `data`, since it may be memory of a device
// that the host cannot read: everybody else uploads and downloads (tensor/transfer.h).
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
  // Elements from `offset` on, under this shape; inside this view.
  View part(int64_t offset, const Shape& of) const;
  // Where `part` begins in this view: part(offset_of(p), p.shape) is p.
  int64_t offset_of(const View& part) const { return part.data - data; }
  // Whether both begin with the same element in memory.
  bool starts_with(const View& other) const { return data == other.data; }
  // A view that can be written can be read.
  operator View<const T>() const requires(!std::is_const_v<T>) { return {data, shape, device}; }
};

// What kernels compute with, and what they find their operands by.
using Tensor = View<Real>;
using Ids = View<const int32_t>;    // token ids, rows, lengths
using Flags = View<const uint8_t>;  // 0 or 1
// Sums that are kept in double, also where Real is float.
using Sums = View<double>;

}  // namespace heed
