// What gemm.cc asks of a matrix library: products of one tile, done by the calling thread alone.
// gemm_onednn.cc or gemm_eigen.cc implements it, whichever the build has.
// All of it is to be called inside parallel_for, where a library sees a single thread: neither what
// it builds nor what it computes depends on the number of threads then.
#pragma once

#include <cstdint>
#include <memory>

#include "base/real.h"
#include "tensor/kernels/kernels.h"

namespace heed::kernels {

// Most rows that PackedTile::multiply takes. A library may build a product for each number of rows;
// this bounds them.
constexpr int64_t kMaxTileRows = 64;

// Element (i, j) of a plain matrix is at [i * stride + j], of a transposed one at [i + j * stride].
struct MatrixLayout {
  int64_t stride = 0;
  bool transposed = false;
  bool operator==(const MatrixLayout&) const = default;
};

// k rows and n columns of a right-hand matrix b in the layout that the library likes. The types of
// its numbers follow the precision: f32 is packed from Real, takes Real and gives Real; bf16 is
// packed from bf16 (uint16_t), takes bf16 and gives Real; int8 is packed from int8_t, takes int8_t
// and gives int32_t.
class PackedTile {
 public:
  virtual ~PackedTile() = default;
  // Takes the numbers anew; `from` has the layout that the tile was made for.
  virtual void pack(const void* from) = 0;
  // The same from f32 that lies in any layout, rounded on the way; false where there is no such
  // way, and then nothing was done.
  virtual bool pack_at_once(const Real* /*from*/, const MatrixLayout& /*layout*/) { return false; }
  // out [m, n] = a [m, k] b, both contiguous, 1 <= m <= kMaxTileRows; out isn't read. Threads may
  // multiply at once.
  virtual void multiply(int64_t m, const void* a, void* out) const = 0;
};

// Requires k, n >= 1 and has_precision(precision). The tile is empty until pack().
std::unique_ptr<PackedTile> make_packed_tile(int64_t k, int64_t n, const MatrixLayout& from,
                                             Precision precision);

// m, k, n >= 1. c [m, n] = a [m, k] b [k, n], or c += when `accumulate`, where c is not read
// otherwise.
struct TileShape {
  int64_t m = 0, k = 0, n = 0;
  MatrixLayout a, b;
  int64_t c_stride = 0;
  bool accumulate = false;
};
void multiply_tile(const TileShape& shape, const Real* a, const Real* b, Real* c);

// "oneDNN" | "Eigen".
const char* tile_library();

}  // namespace heed::kernels
