// What enters a device and what leaves it. On the CPU these are copies, too, so that what was
// uploaded lives as long as its arena, whatever becomes of the host's own copy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tensor/arena.h"
#include "tensor/tensor.h"

namespace heed {

// The elements in the arena, on its device; as many as the shape has.
Tensor upload(Arena& arena, std::span<const Real> from, const Shape& shape);
Flags upload(Arena& arena, std::span<const uint8_t> from, const Shape& shape);
View<const int8_t> upload(Arena& arena, std::span<const int8_t> from, const Shape& shape);
// The same for integers that kernels use as indices: each is at least `least` and below `below`.
// Kernels don't look at them again.
struct IdRange {
  int64_t least = 0, below = 0;
};
Ids upload(Arena& arena, std::span<const int32_t> ids, const Shape& shape, const IdRange& range);
// Into memory that exists already, of equal size.
void upload(std::span<const Real> from, const Tensor& to);

// A copy of all elements on the host, row after row.
std::vector<Real> download(const Tensor& from);
std::vector<int32_t> download(const Ids& from);
std::vector<double> download(const Sums& from);
std::vector<int8_t> download(const View<int8_t>& from);
void download(const Tensor& from, std::span<Real> to);
// The one element of x.
Real item(const Tensor& x);

// A tensor for reading on the host: its own memory if the host can read it, else one copy of all.
class HostView {
 public:
  explicit HostView(const Tensor& tensor);
  bool empty() const { return tensor_.empty(); }
  std::span<const Real> all() const { return {data(), static_cast<size_t>(tensor_.size())}; }
  // Row m of the tensor seen as [M, C].
  std::span<const Real> row(int64_t m) const {
    const auto columns = static_cast<size_t>(tensor_.shape.last());
    return all().subspan(static_cast<size_t>(m) * columns, columns);
  }

 private:
  const Real* data() const { return copy_.empty() ? tensor_.data : copy_.data(); }

  Tensor tensor_;
  std::vector<Real> copy_;
};

}  // namespace heed
