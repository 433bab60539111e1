// The extents of a tensor, row-major. Letters used in every signature comment: B batch, S source
// length, T target length, E embedding, H hidden, A attention, V vocabulary, D encoder state,
// R readout, N heads, G key/value heads; of a plain matrix M rows and C columns.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace heed {

class Shape {
 public:
  static constexpr int kMaxRank = 4;

  Shape() = default;  // a scalar: rank 0, one element
  Shape(std::initializer_list<int64_t> extents);

  int rank() const { return rank_; }
  int64_t operator[](int axis) const { return extents_[axis]; }
  int64_t size() const;  // elements; 64 bits, so that [T*B, V] can't overflow
  int64_t last() const { return rank_ == 0 ? 1 : extents_[rank_ - 1]; }
  void set_last(int64_t extent) { extents_[rank_ - 1] = extent; }  // rank >= 1
  int64_t rows() const;  // size() / last(): the tensor seen as a matrix [rows, last]
  bool operator==(const Shape&) const = default;
  std::string text() const;  // "[3, 80, 512]"

 private:
  std::array<int64_t, kMaxRank> extents_{};
  int rank_ = 0;
};

}  // namespace heed

// Messages take a shape as it is, so that its text is built only if it is shown.
template <>
struct fmt::formatter<heed::Shape> : fmt::formatter<std::string> {
  template <typename Context>
  auto format(const heed::Shape& shape, Context& context) const {
    return fmt::formatter<std::string>::format(shape.text(), context);
  }
};
