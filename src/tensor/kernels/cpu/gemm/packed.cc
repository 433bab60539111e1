#include "tensor/kernels/cpu/gemm/packed.h"

#include <algorithm>

#include "base/round_up.h"
#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/gemm/low_precision.h"
#include "tensor/kernels/cpu/scratch.h"

namespace heed::kernels::cpu {
namespace {

// The range's columns of b, [K, C] as seen through its layout, as integers [k, n], contiguous,
// and their scales.
void quantise_range(const Real* b, const MatrixLayout& layout, int64_t k,
                    const Tiling::Range& range, int8_t* out, Real* scales) {
  const int64_t n = range.length;
  if (!layout.transposed)
    return quantise_columns(b + range.begin, k, layout.stride, n, out, scales + range.begin);
  std::vector<int8_t> integers(static_cast<size_t>(k));
  for (int64_t j = 0; j < n; ++j) {
    const int64_t column = range.begin + j;
    scales[column] = quantise(b + column * layout.stride, integers.data(), k);
    for (int64_t i = 0; i < k; ++i) out[i * n + j] = integers[static_cast<size_t>(i)];
  }
}

// The same in bf16, [k, stride] with stride >= n, for a library that has no pack_at_once() of bf16:
// its own conversion from f32 takes up to three times as long. Rows of a plain matrix are far apart
// in memory, so that the processor prefetches nothing by itself.
void round_range(const Real* b, const MatrixLayout& layout, int64_t k, const Tiling::Range& range,
                 int64_t stride, uint16_t* out) {
  if (layout.transposed)
    return transpose_to_bf16(b + range.begin * layout.stride, range.length, layout.stride, k,
                             stride, out);
  constexpr int64_t kAhead = 4, kLine = 64 / sizeof(Real);
  for (int64_t i = 0; i < k; ++i) {
    const Real* const row = b + i * layout.stride + range.begin;
    for (int64_t j = 0; i + kAhead < k && j < range.length; j += kLine)
      __builtin_prefetch(row + kAhead * layout.stride + j);
    round_to_bf16(row, out + i * stride, range.length);
  }
}

// Memory in which a thread computes a tile before the epilogue stores it in c: Real, or int32_t,
// which is not larger.
void* tile_buffer() {
  struct alignas(64) Buffer {
    Real elements[kMaxTileRows * kWidePackedColumns];
  };
  static thread_local Buffer buffer;
  return buffer.elements;
}

}  // namespace

void Packed::pack_tile(const Real* b, const Tiling::Range& range) {
  std::unique_ptr<PackedTile>& tile = tiles[static_cast<size_t>(range.index)];
  const int64_t n = range.length,
                stride = precision == Precision::bf16 ? round_up<int64_t>(n, 8) : n;
  const MatrixLayout layout = precision == Precision::f32 ? from_ : MatrixLayout{stride, false};
  if (!tile) tile = make_packed_tile(rows, n, layout, precision);
  const Real* const part = b + range.begin * (from_.transposed ? from_.stride : 1);
  if (tile->pack_at_once(part, from_)) return;
  switch (precision) {
    case Precision::f32:
      return tile->pack(part);
    case Precision::bf16: {
      Scratch<uint16_t, Packed> rounded(rows * stride);
      round_range(b, from_, rows, range, stride, rounded.data());
      return tile->pack(rounded.data());
    }
    case Precision::int8: {
      Scratch<int8_t, Packed> integers(rows * stride);
      quantise_range(b, from_, rows, range, integers.data(), scales.data());
      return tile->pack(integers.data());
    }
  }
}

void Packed::pack(const Tensor& b, bool transposed, Precision to) {
  const int64_t k = b.shape[transposed ? 1 : 0], n = b.shape[transposed ? 0 : 1];
  const MatrixLayout layout{b.shape[1], transposed};
  if (rows != k || columns != n || from_ != layout || precision != to) {
    tiles.clear();
    scales.clear();
  }
  rows = k;
  columns = n;
  from_ = layout;
  precision = to;
  if (rows == 0 || columns == 0) return;
  const Tiling tiling = tile_packed_columns(columns);
  tiles.resize(static_cast<size_t>(tiling.count()));
  if (precision == Precision::int8) scales.resize(static_cast<size_t>(columns));
  parallel_for(tiling.count(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) pack_tile(b.data, tiling.at(j));
  });
}

void multiply_packed(const LeftOperand& left, int64_t m, const Packed& b, Real* c,
                     const Epilogue& epilogue) {
  const int64_t n = b.columns;
  const Real* const row_scales = left.scales_or_null();
  for_each_tile({m, kMaxTileRows}, b.rows, tile_packed_columns(n),
                [&](const Tiling::Range& rows, const Tiling::Range& columns) {
                  void* const tile = tile_buffer();
                  b.tiles[static_cast<size_t>(columns.index)]->multiply(rows.length,
                                                                        left.row(rows.begin), tile);
                  Real* const to = c + rows.begin * n + columns.begin;
                  const Epilogue here{epilogue.accumulate,
                                      epilogue.bias ? epilogue.bias + columns.begin : nullptr,
                                      m * n >= kStreamingElements};
                  if (row_scales == nullptr) {
                    store_tile(static_cast<const Real*>(tile), rows.length, columns.length, to, n,
                               here);
                  } else {
                    const Scales scales{row_scales + rows.begin, b.scales.data() + columns.begin};
                    store_tile(static_cast<const int32_t*>(tile), scales, rows.length,
                               columns.length, to, n, here);
                  }
                });
}

}  // namespace heed::kernels::cpu
