#include "tensor/kernels/cpu/gemm/gemm.h"

#include <algorithm>
#include <iterator>

#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/gemm/low_precision.h"
#include "tensor/kernels/cpu/gemm/packed.h"

namespace heed::kernels::cpu {
namespace {

// Tiles of a product whose operands are not packed. Each copies its parts of a and b into the
// library's layout: larger tiles copy less, and are taken if the result is large enough to give
// every thread some.
struct PlainTile {
  int64_t least_result;  // elements of c
  int64_t rows, columns;
};
constexpr PlainTile kPlainTiles[] = {
    {1 << 21, 256, 1024}, {1 << 19, 256, 512}, {1 << 18, 128, 512}, {0, 128, 256}};

const Packed& packed_on_cpu(const PackedMatrix::State& state) {
  return static_cast<const Packed&>(state);
}

void multiply_plain(const Operand& a, const Operand& b, const Tensor& c, bool accumulate) {
  const int64_t m = c.shape.rows(), n = c.shape.last();
  const int64_t k = a.transposed ? a.matrix.shape.rows() : a.matrix.shape.last();
  const PlainTile& tile =
      *std::find_if(std::begin(kPlainTiles), std::end(kPlainTiles),
                    [&](const PlainTile& each) { return m * n >= each.least_result; });
  for_each_tile({m, tile.rows}, k, {n, tile.columns},
                [&](const Tiling::Range& rows, const Tiling::Range& columns) {
                  const TileShape shape{.m = rows.length,
                                        .k = k,
                                        .n = columns.length,
                                        .a = {a.matrix.shape.last(), a.transposed},
                                        .b = {b.matrix.shape.last(), b.transposed},
                                        .c_stride = n,
                                        .accumulate = accumulate};
                  multiply_tile(shape, a.matrix.data + rows.begin * (a.transposed ? 1 : k),
                                b.matrix.data + columns.begin * (b.transposed ? k : 1),
                                c.data + rows.begin * n + columns.begin);
                });
}

}  // namespace

void pack(const Tensor& b, bool transposed, Precision precision,
          std::unique_ptr<PackedMatrix::State>& state) {
  if (!state || state->device() != Device::cpu) state = std::make_unique<Packed>();
  static_cast<Packed&>(*state).pack(b, transposed, precision);
}

void gemm_packed(const Tensor& a, const PackedMatrix::State& b, const Tensor& c, bool accumulate) {
  const int64_t m = a.shape.rows();
  const LeftOperand left(a.data, m, b.rows, b.precision);
  multiply_packed(left, m, packed_on_cpu(b), c.data, {.accumulate = accumulate});
}

void gemm_packed(const Tensor& a, const PackedMatrix::State& b, const Tensor& bias,
                 const Tensor& c) {
  const int64_t m = a.shape.rows();
  const LeftOperand left(a.data, m, b.rows, b.precision);
  multiply_packed(left, m, packed_on_cpu(b), c.data, {.bias = bias.data});
}

void gemm(const Operand& a, const Operand& b, const Tensor& c, bool accumulate,
          Precision precision) {
  if (precision == Precision::bf16)
    return multiply_transposed_bf16(a.matrix, b.matrix, c, accumulate);
  multiply_plain(a, b, c, accumulate);
}

void quantise(const Tensor& x, ScalesPer per, const View<int8_t>& q, const Tensor& scales) {
  const int64_t rows = rows_of(x), columns = x.shape.last();
  if (per == ScalesPer::column)
    return quantise_columns(x.data, rows, columns, columns, q.data, scales.data);
  for (int64_t i = 0; i < rows; ++i)
    scales.data[i] = quantise(x.data + i * columns, q.data + i * columns, columns);
}

void dequantise(const View<const int8_t>& q, const Tensor& scales, ScalesPer per, const Tensor& x) {
  const int64_t rows = rows_of(x), columns = x.shape.last();
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      x.data[i * columns + j] = static_cast<Real>(q.data[i * columns + j]) *
                                scales.data[per == ScalesPer::column ? j : i];
}

}  // namespace heed::kernels::cpu
