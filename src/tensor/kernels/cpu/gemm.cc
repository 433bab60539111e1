// Matrix products, cut into tiles by their shape; each tile is computed by one thread through the
// matrix library.
#include <algorithm>
#include <iterator>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/round_up.h"
#include "tensor/kernels/cpu/checks.h"
#include "tensor/kernels/cpu/gemm_tile.h"
#include "tensor/kernels/cpu/left_operand.h"
#include "tensor/kernels/cpu/narrow.h"
#include "tensor/kernels/cpu/place.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

// Tiles of a packed product: the library's own blocks are 64 columns wide. Wider tiles for wide
// matrices, so that a product of few rows is not a long list of tiny tiles.
constexpr int64_t kPackedColumns = 128, kWidePackedColumns = 256, kWideMatrix = 1024;
// Tiles of an unpacked one copy their parts of a and b into the library's layout: larger ones copy
// less, and are taken where the result is large enough to give every thread some.
struct PlainTile {
  int64_t least_result;  // numbers of c
  int64_t rows, columns;
};
constexpr PlainTile kPlainTiles[] = {
    {1 << 21, 256, 1024}, {1 << 19, 256, 512}, {1 << 18, 128, 512}, {0, 128, 256}};
// Work that is worth handing to a thread: about 10 us.
constexpr int64_t kChunkOperations = 1 << 20;

// An axis cut into pieces of length `tile`, the last one being the rest.
struct Cut {
  struct Piece {
    int64_t index, begin, length;
  };
  int64_t length, tile;

  int64_t pieces() const { return (length + tile - 1) / tile; }
  Piece piece(int64_t index) const {
    return {index, index * tile, std::min(tile, length - index * tile)};
  }
  int64_t longest() const { return std::min(tile, length); }
};

Cut cut_packed_columns(int64_t columns) {
  return {columns, columns > kWideMatrix ? kWidePackedColumns : kPackedColumns};
}

// Calls f(row piece, column piece) for each tile of c. Tiles of the same columns share b and follow
// each other.
template <typename F>
void for_each_tile(const Cut& rows, int64_t depth, const Cut& columns, const F& f) {
  constexpr int64_t kFewRows = 4;  // with fewer, reading b takes the time
  const int64_t operations = 2 * depth * columns.longest() * std::max(rows.longest(), kFewRows);
  const int64_t grain = std::max<int64_t>(1, kChunkOperations / operations);
  const int64_t high = rows.pieces();
  parallel_for(high * columns.pieces(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile)
      f(rows.piece(tile % high), columns.piece(tile / high));
  });
}

// A product that has nothing to sum up.
void finish_empty(Tensor c, bool accumulate) {
  if (!accumulate) std::fill_n(c.data, c.size(), Real{0});
}

size_t bytes_of(Precision precision) {
  switch (precision) {
    case Precision::bf16:
      return sizeof(uint16_t);
    case Precision::int8:
      return sizeof(int8_t);
    case Precision::f32:
      break;
  }
  return sizeof(Real);
}

// `precision` is that of the right-hand matrix as it lies in memory.
void count_product(int64_t m, int64_t k, int64_t n, Precision precision) {
  const auto size = [](int64_t rows, int64_t columns) {
    return static_cast<double>(rows * columns);
  };
  const auto right = static_cast<double>(bytes_of(precision));
  count_work({2 * size(m, k) * static_cast<double>(n),
              (size(m, k) + size(m, n)) * sizeof(Real) + size(k, n) * right, 0});
}

// The place where a thread computes a packed tile before it goes to its place in c: Real, or
// int32_t of the same size.
void* tile_buffer() {
  struct alignas(64) Buffer {
    Real numbers[kMaxTileRows * kWidePackedColumns];
  };
  static thread_local Buffer buffer;
  return buffer.numbers;
}

// place_tile() for whole numbers, which get their scales on the way.
void place_whole_tile(const int32_t* tile, int64_t m, int64_t n, const Real* row_scales,
                      const Real* column_scales, Real* c, int64_t stride, const Place& place) {
  for (int64_t i = 0; i < m; ++i, tile += n, c += stride) {
    if (place.bias != nullptr) std::copy_n(place.bias, n, c);
    place_whole_numbers(tile, row_scales[i], column_scales, c, n,
                        place.accumulate || place.bias != nullptr);
  }
}

// The piece's columns of b, [K, N] as seen through its layout, as whole numbers [k, n] contiguous,
// and their scales.
void quantise_piece(const Real* b, const MatrixLayout& layout, int64_t k, const Cut::Piece& piece,
                    int8_t* out, Real* scales) {
  const int64_t n = piece.length;
  if (!layout.transposed)
    return quantise_columns(b + piece.begin, k, layout.stride, n, out, scales + piece.begin);
  std::vector<int8_t> whole(static_cast<size_t>(k));
  for (int64_t j = 0; j < n; ++j) {
    const int64_t at = piece.begin + j;
    scales[at] = quantise(b + at * layout.stride, whole.data(), k);
    for (int64_t i = 0; i < k; ++i) out[i * n + j] = whole[static_cast<size_t>(i)];
  }
}

// For a library that has no pack_at_once() of bf16. The same as bf16, [k, stride] with stride >= n:
// the library itself takes up to three times as long from f32. Rows of a plain matrix lie far
// apart, so that the processor fetches nothing ahead.
void round_piece(const Real* b, const MatrixLayout& layout, int64_t k, const Cut::Piece& piece,
                 int64_t stride, uint16_t* out) {
  if (layout.transposed)
    return transpose_to_bf16(b + piece.begin * layout.stride, piece.length, layout.stride, k,
                             stride, out);
  constexpr int64_t kAhead = 4, kLine = 64 / sizeof(Real);
  for (int64_t i = 0; i < k; ++i) {
    const Real* const row = b + i * layout.stride + piece.begin;
    for (int64_t j = 0; i + kAhead < k && j < piece.length; j += kLine)
      __builtin_prefetch(row + kAhead * layout.stride + j);
    round_to_bf16(row, out + i * stride, piece.length);
  }
}

// Memory of the calling thread for a piece in fewer bits, until it asks again.
template <typename T>
T* piece_memory(int64_t numbers) {
  static thread_local std::vector<T> all;
  if (all.size() < static_cast<size_t>(numbers)) all.resize(static_cast<size_t>(numbers));
  return all.data();
}

}  // namespace

struct PackedMatrix::State {
  int64_t rows = 0, columns = 0;
  MatrixLayout from;
  Precision precision = Precision::f32;
  std::vector<std::unique_ptr<PackedTile>>
      tiles;                 // one for each piece of cut_packed_columns(columns)
  std::vector<Real> scales;  // int8: of each column

  void pack_tile(const Real* b, const Cut::Piece& piece) {
    std::unique_ptr<PackedTile>& tile = tiles[static_cast<size_t>(piece.index)];
    const int64_t n = piece.length,
                  stride = precision == Precision::bf16 ? round_up<int64_t>(n, 8) : n;
    const MatrixLayout layout = precision == Precision::f32 ? from : MatrixLayout{stride, false};
    if (!tile) tile = make_packed_tile(rows, piece.length, layout, precision);
    const Real* const part = b + piece.begin * (from.transposed ? from.stride : 1);
    if (tile->pack_at_once(part, from)) return;
    switch (precision) {
      case Precision::f32:
        return tile->pack(part);
      case Precision::bf16: {
        auto* const rounded = piece_memory<uint16_t>(rows * stride);
        round_piece(b, from, rows, piece, stride, rounded);
        return tile->pack(rounded);
      }
      case Precision::int8: {
        auto* const whole = piece_memory<int8_t>(rows * stride);
        quantise_piece(b, from, rows, piece, whole, scales.data());
        return tile->pack(whole);
      }
    }
  }
};

PackedMatrix::PackedMatrix() : state_(std::make_unique<State>()) {}
PackedMatrix::~PackedMatrix() = default;
PackedMatrix::PackedMatrix(PackedMatrix&& other) noexcept = default;
PackedMatrix& PackedMatrix::operator=(PackedMatrix&& other) noexcept = default;

bool PackedMatrix::empty() const { return rows() == 0 || columns() == 0; }
int64_t PackedMatrix::rows() const { return state_ ? state_->rows : 0; }
int64_t PackedMatrix::columns() const { return state_ ? state_->columns : 0; }

void PackedMatrix::pack(const Tensor& b, bool transposed, Precision precision) {
  check(b.shape.rank() == 2, "[pack] b is a matrix. Received {}", b.shape.text());
  check(has_precision(precision), "[pack] the precision must be one of has_precision()");
  const int64_t k = b.shape[transposed ? 1 : 0], n = b.shape[transposed ? 0 : 1];
  const MatrixLayout from{b.shape[1], transposed};
  if (!state_) state_ = std::make_unique<State>();
  if (rows() != k || columns() != n || state_->from != from || state_->precision != precision)
    *state_ = State{k, n, from, precision, {}, {}};
  if (empty()) return;
  count_work(
      {0, static_cast<double>(k * n) * static_cast<double>(sizeof(Real) + bytes_of(precision)), 0});
  const Cut cut = cut_packed_columns(n);
  state_->tiles.resize(static_cast<size_t>(cut.pieces()));
  if (precision == Precision::int8) state_->scales.resize(static_cast<size_t>(n));
  parallel_for(cut.pieces(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) state_->pack_tile(b.data, cut.piece(j));
  });
}

void gemm_packed(const Tensor& a, const PackedMatrix& b, Tensor c, bool accumulate) {
  const int64_t m = a.shape.rows(), k = b.rows(), n = b.columns();
  check(a.shape.last() == k && c.shape.last() == n && c.shape.rows() == m,
        "[gemm_packed] c [M, N] = a [M, K] b [K, N]. Received a {}, b [{}, {}], c {}",
        a.shape.text(), k, n, c.shape.text());
  if (m == 0 || n == 0) return;
  if (k == 0) return finish_empty(c, accumulate);
  count_product(m, k, n, b.state().precision);
  multiply_packed(LeftOperand(a.data, m, k, b.state().precision), m, b, c, {accumulate, nullptr});
}

void gemm_packed(const Tensor& a, const PackedMatrix& b, const Tensor& bias, Tensor c) {
  const int64_t m = a.shape.rows(), k = b.rows(), n = b.columns();
  check(
      a.shape.last() == k && c.shape.last() == n && c.shape.rows() == m && bias.size() == n,
      "[gemm_packed] c [M, N] = a [M, K] b [K, N] + bias [N]. Received a {}, b [{}, {}], bias {}, "
      "c {}",
      a.shape.text(), k, n, bias.shape.text(), c.shape.text());
  if (m == 0 || n == 0) return;
  if (k == 0) {
    finish_empty(c, false);
    return add_bias(bias, c);
  }
  count_product(m, k, n, b.state().precision);
  multiply_packed(LeftOperand(a.data, m, k, b.state().precision), m, b, c, {false, bias.data});
}

void multiply_packed(const LeftOperand& left, int64_t m, const PackedMatrix& b, Tensor c,
                     const Place& place) {
  const PackedMatrix::State& packed = b.state();
  const int64_t n = b.columns();
  const Real* const row_scales = left.scales_or_null();
  const bool far = m * n >= kFarNumbers;
  for_each_tile(
      {m, kMaxTileRows}, b.rows(), cut_packed_columns(n),
      [&](const Cut::Piece& rows, const Cut::Piece& columns) {
        void* tile = tile_buffer();
        packed.tiles[static_cast<size_t>(columns.index)]->multiply(rows.length,
                                                                   left.row(rows.begin), tile);
        Real* to = c.data + rows.begin * n + columns.begin;
        const Place here{place.accumulate, place.bias ? place.bias + columns.begin : nullptr, far};
        if (row_scales == nullptr) {
          place_tile(static_cast<const Real*>(tile), rows.length, columns.length, to, n, here);
        } else {
          place_whole_tile(static_cast<const int32_t*>(tile), rows.length, columns.length,
                           row_scales + rows.begin, packed.scales.data() + columns.begin, to, n,
                           here);
        }
      });
}

void gemm(const Operand& left, const Operand& right, Tensor c, bool accumulate,
          Precision precision) {
  const auto& [a, transpose_a] = left;
  const auto& [b, transpose_b] = right;
  const int64_t m = transpose_a ? a.shape.last() : a.shape.rows();
  const int64_t k = transpose_a ? a.shape.rows() : a.shape.last();
  const int64_t n = transpose_b ? b.shape.rows() : b.shape.last();
  check((transpose_b ? b.shape.last() : b.shape.rows()) == k && c.shape.last() == n &&
            c.shape.rows() == m,
        "[gemm] c [M, N] = op(a) [M, K] op(b) [K, N]. Received a {}{}, b {}{}, c {}",
        a.shape.text(), transpose_a ? " transposed" : "", b.shape.text(),
        transpose_b ? " transposed" : "", c.shape.text());
  if (m == 0 || n == 0) return;
  if (k == 0) return finish_empty(c, accumulate);
  count_product(m, k, n, Precision::f32);
  if (precision == Precision::bf16 && transpose_a && !transpose_b)
    return multiply_transposed_bf16(a, b, c, accumulate);
  const PlainTile& tile =
      *std::find_if(std::begin(kPlainTiles), std::end(kPlainTiles),
                    [&](const PlainTile& each) { return m * n >= each.least_result; });
  for_each_tile({m, tile.rows}, k, {n, tile.columns},
                [&](const Cut::Piece& rows, const Cut::Piece& columns) {
                  const TileShape shape{.m = rows.length,
                                        .k = k,
                                        .n = columns.length,
                                        .a = {a.shape.last(), transpose_a},
                                        .b = {b.shape.last(), transpose_b},
                                        .c_stride = n,
                                        .accumulate = accumulate};
                  multiply_tile(shape, a.data + rows.begin * (transpose_a ? 1 : k),
                                b.data + columns.begin * (transpose_b ? k : 1),
                                c.data + rows.begin * n + columns.begin);
                });
}

const char* gemm_library() { return tile_library(); }

}  // namespace heed::kernels
