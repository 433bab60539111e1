// Copies from the host to a device and back. They copy on the CPU, too, so that what was uploaded
// lives as long as its arena, whatever the host does with its own elements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tensor/arena.h"
#include "tensor/tensor.h"

namespace heed {

// Copies the elements into the arena, on its device. Throws InternalError unless there are as many
// as the shape has.
Tensor upload(Arena& arena, std::span<const Real> from, const Shape& shape);
Flags upload(Arena& arena, std::span<const uint8_t> from, const Shape& shape);
// The same for integers that kernels use as indices. Throws InternalError unless each is at least
// `least` and below `below`: kernels don't check them again.
struct IdRange {
  int64_t least = 0, below = 0;
};
Ids upload(Arena& arena, std::span<const int32_t> ids, const Shape& shape, const IdRange& range);
// Overwrites `to`, which has as many elements.
void upload(std::span<const Real> from, const Tensor& to);

// A copy of all elements on the host, row-major.
std::vector<Real> download(const Tensor& from);
std::vector<int32_t> download(const Ids& from);
std::vector<double> download(const Sums& from);
void download(const Tensor& from, std::span<Real> to);
// The one element of x.
Real item(const Tensor& x);

}  // namespace heed
