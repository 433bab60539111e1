// The CPU's form of a packed matrix, and products with it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tensor/kernels/cpu/gemm/epilogue.h"
#include "tensor/kernels/cpu/gemm/left_operand.h"
#include "tensor/kernels/cpu/gemm/tile.h"
#include "tensor/kernels/cpu/gemm/tiling.h"
#include "tensor/kernels/packed_matrix.h"

namespace heed::kernels::cpu {

struct Packed final : PackedMatrix::State {
  Device device() const override { return Device::cpu; }
  // b is a matrix. Tiles are made anew only if shape, layout or precision changed.
  void pack(const Tensor& b, bool transposed, Precision to);

  std::vector<std::unique_ptr<PackedTile>> tiles;  // one per range of tile_packed_columns(columns)
  std::vector<Real> scales;                        // int8: of each column

 private:
  void pack_tile(const Real* b, const Tiling::Range& range);

  MatrixLayout from_;
};

// c [M, C] from left B, stored as the epilogue says; its `streaming` is set here.
void multiply_packed(const LeftOperand& left, int64_t m, const Packed& b, Real* c,
                     const Epilogue& epilogue);

// c [M, C] = a^T b, or += if `accumulate`, with a [R, M] and b [R, C] rounded to bf16.
void multiply_transposed_bf16(const Tensor& a, const Tensor& b, const Tensor& c, bool accumulate);

}  // namespace heed::kernels::cpu
