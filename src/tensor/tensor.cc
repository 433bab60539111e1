#include "tensor/tensor.h"

#include "base/error.h"

namespace heed {
namespace {

// The extents after the first axis, preceded by `first` if that is not negative.
Shape replace_first(const Shape& shape, int64_t first) {
  const bool keep = first >= 0;
  switch (shape.rank()) {
    case 1:
      return keep ? Shape{first} : Shape{};
    case 2:
      return keep ? Shape{first, shape[1]} : Shape{shape[1]};
    case 3:
      return keep ? Shape{first, shape[1], shape[2]} : Shape{shape[1], shape[2]};
    default:
      return keep ? Shape{first, shape[1], shape[2], shape[3]}
                  : Shape{shape[1], shape[2], shape[3]};
  }
}

}  // namespace

template <typename T>
View<T> View<T>::at(int64_t i) const {
  check(shape.rank() >= 1, "[at] a tensor with a first axis. Received {}", shape);
  check(i >= 0 && i < shape[0], "[at] an index inside the first axis. Received {} for {}", i,
        shape);
  const Shape element = replace_first(shape, -1);
  return {data + i * element.size(), element, device};
}

template <typename T>
View<T> View<T>::slice(int64_t begin, int64_t end) const {
  check(shape.rank() >= 1, "[slice] a tensor with a first axis. Received {}", shape);
  check(begin >= 0 && begin <= end && end <= shape[0],
        "[slice] a range inside the first axis. Received [{}, {}) of {}", begin, end, shape);
  return {data + begin * replace_first(shape, -1).size(), replace_first(shape, end - begin),
          device};
}

template <typename T>
View<T> View<T>::reshaped(const Shape& to) const {
  check(to.size() == shape.size(), "[reshaped] equal sizes. Received {} as {}", shape, to);
  return {data, to, device};
}

template <typename T>
View<T> View<T>::part(int64_t offset, const Shape& of) const {
  check(offset >= 0 && offset + of.size() <= size(),
        "[part] elements inside the view. Received {} from {} on, of {}", of, offset, shape);
  return {data + offset, of, device};
}

template struct View<Real>;
template struct View<const Real>;
#ifndef HEED_DOUBLE
template struct View<double>;
template struct View<const double>;
#endif
template struct View<int32_t>;
template struct View<const int32_t>;
template struct View<int8_t>;
template struct View<const int8_t>;
template struct View<uint8_t>;
template struct View<const uint8_t>;

}  // namespace heed
