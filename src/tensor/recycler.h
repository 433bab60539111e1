// Memory of an arena that is free again before the arena is reset, for the gradients of the
// backward pass: it takes little more memory than the forward pass that way.
#pragma once

#include <cstdint>
#include <map>

#include "tensor/arena.h"

namespace heed {

class Recycler {
 public:
  explicit Recycler(Arena& arena) : arena_(arena) {}

  // Uninitialised: the smallest free piece that is large enough, or new memory of the arena.
  Tensor take(const Shape& shape);
  // What take() or the arena gave, as a whole; nobody uses it any more. Pieces that touch become
  // one, so that tensors of different sizes can follow each other.
  void give_back(const Tensor& memory);

 private:
  void free_piece(Real* data, int64_t elements);

  Arena& arena_;
  std::map<Real*, int64_t> pieces_;  // free memory and its elements; no two touch
};

}  // namespace heed
