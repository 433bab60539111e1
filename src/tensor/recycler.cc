#include "tensor/recycler.h"

#include <iterator>

#include "base/round_up.h"

namespace heed {
namespace {

constexpr int64_t kLine = 64 / sizeof(Real);  // pieces are cut at cache lines
constexpr int64_t kFewElements = 1024;        // fewer are not worth keeping

}  // namespace

Tensor Recycler::take(const Shape& shape) {
  const int64_t elements = round_up(shape.size(), kLine);
  auto best = pieces_.end();
  for (auto piece = pieces_.begin(); piece != pieces_.end(); ++piece)
    if (piece->second >= elements && (best == pieces_.end() || piece->second < best->second))
      best = piece;
  if (best == pieces_.end()) return arena_.tensor({elements}).part(0, shape);
  const auto [data, size] = *best;
  pieces_.erase(best);
  free_piece(data + elements, size - elements);
  return {data, shape, arena_.device()};
}

// The arena leaves the end of a cache line free.
void Recycler::give_back(const Tensor& memory) {
  free_piece(memory.data, round_up(memory.size(), kLine));
}

void Recycler::free_piece(Real* data, int64_t elements) {
  if (elements < kFewElements) return;
  const auto after = pieces_.lower_bound(data);
  if (after != pieces_.end() && data + elements == after->first) {
    elements += after->second;
    pieces_.erase(after);
  }
  const auto next = pieces_.lower_bound(data);
  if (next != pieces_.begin() && std::prev(next)->first + std::prev(next)->second == data)
    std::prev(next)->second += elements;
  else
    pieces_.emplace(data, elements);
}

}  // namespace heed
