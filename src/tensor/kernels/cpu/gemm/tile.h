// What is asked of a matrix library: products of one tile, computed by the calling thread alone.
// tile_onednn.cc implements it, or tile_eigen.cc in a build without oneDNN. All of it is to be
// called inside parallel_for, in which a library sees a single thread: neither what it builds nor
// what it computes depends on the number of threads then.
#pragma once

#include <cstdint>
#include <memory>

#include "base/real.h"
#include "tensor/kernels/cpu/gemm/matrix_layout.h"
#include "tensor/kernels/products.h"

namespace heed::kernels::cpu {

// The most rows that PackedTile::multiply takes. A library may build a product per number of rows;
// this bounds how many.
constexpr int64_t kMaxTileRows = 64;

// k rows and n columns of a right-hand matrix b in the layout that the library prefers. In f32 it
// is packed from Real, multiplied by Real and gives Real; in bf16 it is packed from bf16
// (uint16_t), multiplied by bf16 and gives Real; in int8 these are int8_t, int8_t and int32_t.
class PackedTile {
 public:
  virtual ~PackedTile() = default;
  // Replaces the elements; `from` has the layout that the tile was made for.
  virtual void pack(const void* from) = 0;
  // The same from f32 in any layout, rounded if need be. False, with nothing done, if the library
  // has no such conversion.
  virtual bool pack_at_once(const Real* /*from*/, const MatrixLayout& /*layout*/) { return false; }
  // out [m, n] = a [m, k] b, both contiguous, 1 <= m <= kMaxTileRows; out isn't read. Threads may
  // multiply at once.
  virtual void multiply(int64_t m, const void* a, void* out) const = 0;
};

// Requires k, n >= 1 and has_precision(precision). The tile is empty until pack().
std::unique_ptr<PackedTile> make_packed_tile(int64_t k, int64_t n, const MatrixLayout& from,
                                             Precision precision);

// m, k, n >= 1. c [m, n] = a [m, k] b [k, n], or c += if `accumulate`; else c is not read.
struct TileShape {
  int64_t m = 0, k = 0, n = 0;
  MatrixLayout a, b;
  int64_t c_stride = 0;
  bool accumulate = false;
};
void multiply_tile(const TileShape& shape, const Real* a, const Real* b, Real* c);

// What the library can multiply in, and what the processor has instructions for; kernels/products.h
// has the contracts.
bool has_precision(Precision precision);
bool is_native(Precision precision);
// "oneDNN" | "Eigen".
const char* gemm_library();

}  // namespace heed::kernels::cpu
