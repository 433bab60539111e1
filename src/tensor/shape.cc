#include "tensor/shape.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"

namespace heed {

Shape::Shape(std::initializer_list<int64_t> extents) {
  check(extents.size() <= kMaxRank, "[Shape] at most {} axes. Received {}", +kMaxRank,
        extents.size());
  for (int64_t extent : extents)
    check(extent >= 0, "[Shape] extents are not negative. Received {}", extent);
  std::copy(extents.begin(), extents.end(), extents_.begin());
  rank_ = static_cast<int>(extents.size());
}

int64_t Shape::size() const { return rank_ == 0 ? 1 : rows() * last(); }

int64_t Shape::rows() const {
  int64_t product = 1;
  for (int axis = 0; axis + 1 < rank_; ++axis) product *= extents_[axis];
  return product;
}

std::string Shape::text() const {
  return fmt::format("[{}]", fmt::join(extents_.begin(), extents_.begin() + rank_, ", "));
}

}  // namespace heed
