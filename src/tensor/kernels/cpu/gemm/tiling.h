// How a product is cut into tiles, each computed by one thread: a function of sizes alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/parallel.h"

namespace heed::kernels::cpu {

// An axis cut into ranges of length `tile`, the last of which may be shorter.
struct Tiling {
  struct Range {
    int64_t index, begin, length;
  };
  int64_t length, tile;

  int64_t count() const { return (length + tile - 1) / tile; }
  Range at(int64_t index) const {
    return {index, index * tile, std::min(tile, length - index * tile)};
  }
  int64_t longest() const { return std::min(tile, length); }
};

// Columns of a packed matrix. The library's own blocks are 64 columns wide. Wide matrices have
// wider tiles, so that a product of few rows is not cut into many tiny tiles.
constexpr int64_t kPackedColumns = 128, kWidePackedColumns = 256, kWideMatrix = 1024;
inline Tiling tile_packed_columns(int64_t columns) {
  return {columns, columns > kWideMatrix ? kWidePackedColumns : kPackedColumns};
}

// Calls f(row range, column range) for each tile of c. Tiles of the same columns share b and follow
// each other. `depth` is the inner size of the product.
template <typename F>
void for_each_tile(const Tiling& rows, int64_t depth, const Tiling& columns, const F& f) {
  constexpr int64_t kChunkOperations = 1 << 20;  // about 10 us, which is worth a thread
  constexpr int64_t kFewRows = 4;                // with fewer, reading b takes the time
  const int64_t operations = 2 * depth * columns.longest() * std::max(rows.longest(), kFewRows);
  const int64_t grain = std::max<int64_t>(1, kChunkOperations / operations);
  const int64_t high = rows.count();
  parallel_for(high * columns.count(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) f(rows.at(tile % high), columns.at(tile / high));
  });
}

}  // namespace heed::kernels::cpu
