// Panels of f32 and of pairs of bf16: both consist of words of 32 bits, so that the code that moves
// words is written once. Empty in a build without oneDNN.
#ifdef HEED_ONEDNN

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/gemm/panels.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>

#include "base/round_up.h"
#include "tensor/kernels/cpu/gemm/bf16-inl.h"
#include "tensor/kernels/cpu/gemm/low_precision.h"
#include "tensor/kernels/cpu/gemm/panels.h"
#include "tensor/kernels/cpu/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void transpose_four(const uint32_t* x, uint32_t* y) {
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 4; ++j) y[j * kLineWords + i] = x[i * kLineWords + j];
}

#else

// Transposes 4 x 4 words from one block to another.
HWY_INLINE void transpose_four(const uint32_t* x, uint32_t* y) {
  const hn::FixedTag<uint32_t, 4> words;
  const hn::FixedTag<uint64_t, 2> pairs;
  const auto row = [&](int64_t i) HWY_ATTR { return hn::LoadU(words, x + i * kLineWords); };
  const auto a = row(0), b = row(1), c = row(2), d = row(3);
  const auto low_ab = hn::BitCast(pairs, hn::InterleaveLower(words, a, b));  // columns 0, 1
  const auto low_cd = hn::BitCast(pairs, hn::InterleaveLower(words, c, d));
  const auto high_ab = hn::BitCast(pairs, hn::InterleaveUpper(words, a, b));  // columns 2, 3
  const auto high_cd = hn::BitCast(pairs, hn::InterleaveUpper(words, c, d));
  const auto put = [&](int64_t j, auto column) HWY_ATTR {
    hn::StoreU(hn::BitCast(words, column), words, y + j * kLineWords);
  };
  put(0, hn::InterleaveLower(pairs, low_ab, low_cd));
  put(1, hn::InterleaveUpper(pairs, low_ab, low_cd));
  put(2, hn::InterleaveLower(pairs, high_ab, high_cd));
  put(3, hn::InterleaveUpper(pairs, high_ab, high_cd));
}

#endif

// A streaming store of one cache line, since what is packed is read later.
HWY_INLINE void put_line(const uint32_t* x, uint32_t* y) {
  const hn::CappedTag<uint32_t, kLineWords> d;
  for (size_t i = 0; i < kLineWords; i += hn::Lanes(d)) hn::Stream(hn::LoadU(d, x + i), d, y + i);
}

void put_words(const uint32_t* x, uint32_t* y, int64_t n) {
  int64_t i = 0;
  for (; i + kLineWords <= n; i += kLineWords) put_line(x + i, y + i);
  std::copy(x + i, x + n, y + i);
}

// A block, transposed into rows of a panel.
void transpose_block(const uint32_t* x, uint32_t* panel) {
  HWY_ALIGN uint32_t block[kLineWords * kLineWords];
  for (int64_t i = 0; i < kLineWords; i += 4)
    for (int64_t j = 0; j < kLineWords; j += 4)
      transpose_four(x + i * kLineWords + j, block + j * kLineWords + i);
  for (int64_t j = 0; j < kLineWords; ++j)
    put_line(block + j * kLineWords, panel + j * kPanelColumns);
}

// y[j] = the pair of bf16(first[j]) and bf16(second[j]), to nearest with ties to even.
void pair_rows(const Real* first, const Real* second, uint32_t* y, int64_t n) {
  const Words words;
  const auto rounded = [](const Real* x) HWY_ATTR { return rounded_to_bf16(hn::LoadU(D(), x)); };
  const int64_t lanes = lane_count();
  int64_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    const auto high = hn::And(rounded(second + j), hn::Set(words, 0xffff0000));
    hn::Stream(hn::Or(hn::ShiftRight<16>(rounded(first + j)), high), words, y + j);
  }
  for (; j < n; ++j) {
    uint16_t pair[2];
    round_to_bf16(first + j, pair, 1);
    round_to_bf16(second + j, pair + 1, 1);
    std::memcpy(y + j, pair, sizeof(pair));
  }
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(transpose_block);
HWY_EXPORT(put_words);
HWY_EXPORT(pair_rows);

namespace {

// How far ahead memory is prefetched.
constexpr int64_t kRowsAhead = 8;
constexpr int64_t kBlocksAhead = 16;

// The rows of a plain matrix are so far apart that the processor prefetches none by itself.
void fetch_row(const PanelSource& from, int64_t i) {
  constexpr int64_t kLine = 64 / sizeof(Real);
  if (i >= from.rows) return;
  for (int64_t j = 0; j < from.columns; j += kLine)
    __builtin_prefetch(from.elements + i * from.layout.stride + j, 0, 2);
}

// Prefetches a block of words, each of `step` elements, of a column of a transposed matrix, from
// row i of the panel on; past the end, that of the next block of columns.
void fetch_block(const PanelSource& from, int64_t column, int64_t i, int64_t depth, int64_t step) {
  if (i >= depth) {
    i -= depth;
    column += kLineWords;
  }
  if (column >= from.columns) return;
  const Real* const elements = from.elements + column * from.layout.stride;
  for (int64_t k = i * step; k < std::min((i + kLineWords) * step, from.rows); k += kLineWords)
    __builtin_prefetch(elements + k, 0, 2);
}

// Calls put(row i of the panel, first column, number of columns) for each panel.
template <typename F>
void each_panel(const PanelSource& from, int64_t depth, int64_t i, uint32_t* panels, const F& put) {
  for (int64_t j = 0; j < from.columns; j += kPanelColumns) {
    uint32_t* const row = panels + j * depth + i * kPanelColumns;
    const int64_t count = std::min(kPanelColumns, from.columns - j);
    put(row, j, count);
    std::fill(row + count, row + kPanelColumns, 0U);
  }
}

// Fills panels from a plain matrix, `step` rows of which become one row of a panel; calls put(row
// of the panel, row, column, number of columns).
template <typename F>
void fill_plain(const PanelSource& from, int64_t depth, int64_t step, uint32_t* panels,
                const F& put) {
  for (int64_t i = 0; i < depth; ++i) {
    for (int64_t r = 0; r < step; ++r) fetch_row(from, (i + kRowsAhead) * step + r);
    each_panel(from, depth, i, panels, [&](uint32_t* row, int64_t j, int64_t count) {
      if (i * step < from.rows) {
        put(row, i * step, j, count);
      } else {
        std::fill_n(row, count, 0U);
      }
    });
  }
}

// Fills panels from a transposed matrix, whose columns are contiguous, with `step` elements
// per word. words(column, row, strip) writes the kLineWords words from `row` of the panel
// on to `strip`.
template <typename F>
void fill_transposed(const PanelSource& from, int64_t depth, int64_t step, uint32_t* panels,
                     const F& words) {
  alignas(64) uint32_t strips[kLineWords * kLineWords];
  for (int64_t j = 0; j < from.columns; j += kLineWords) {
    uint32_t* const to = panels + j / kPanelColumns * kPanelColumns * depth + j % kPanelColumns;
    for (int64_t i = 0; i < depth; i += kLineWords) {
      for (int64_t c = 0; c < kLineWords; ++c) {
        if (j + c < from.columns) {
          fetch_block(from, j + c, i + kBlocksAhead * kLineWords, depth, step);
          words(j + c, i, strips + c * kLineWords);
        } else {
          std::fill_n(strips + c * kLineWords, kLineWords, 0U);
        }
      }
      HWY_DYNAMIC_DISPATCH(transpose_block)(strips, to + i * kPanelColumns);
    }
  }
  // The columns past the last block.
  const int64_t done = round_up(from.columns, kLineWords);
  if (done % kPanelColumns == 0) return;
  uint32_t* const last = panels + done / kPanelColumns * kPanelColumns * depth;
  for (int64_t i = 0; i < depth; ++i)
    std::fill(last + i * kPanelColumns + done % kPanelColumns, last + (i + 1) * kPanelColumns, 0U);
}

}  // namespace

// Other threads see streaming stores only after FlushStream().
void fill_panels(const PanelSource& from, int64_t depth, Real* panels) {
  auto* const out = reinterpret_cast<uint32_t*>(panels);
  if (from.layout.transposed) {
    fill_transposed(from, depth, 1, out, [&](int64_t column, int64_t i, uint32_t* strip) {
      const int64_t count = std::clamp<int64_t>(from.rows - i, 0, kLineWords);
      std::memcpy(strip, from.elements + column * from.layout.stride + i,
                  static_cast<size_t>(count) * sizeof(Real));
      std::fill(strip + count, strip + kLineWords, 0U);
    });
  } else {
    fill_plain(from, depth, 1, out, [&](uint32_t* row, int64_t i, int64_t j, int64_t count) {
      const Real* const x = from.elements + i * from.layout.stride + j;
      HWY_DYNAMIC_DISPATCH(put_words)(reinterpret_cast<const uint32_t*>(x), row, count);
    });
  }
  hwy::FlushStream();
}

void fill_panels(const PanelSource& from, int64_t depth, uint16_t* panels) {
  static constexpr Real kZeros[kPanelColumns] = {};
  auto* const out = reinterpret_cast<uint32_t*>(panels);
  if (from.layout.transposed) {
    fill_transposed(from, depth / 2, 2, out, [&](int64_t column, int64_t i, uint32_t* strip) {
      auto* const pairs = reinterpret_cast<uint16_t*>(strip);
      const int64_t count = std::clamp<int64_t>(from.rows - 2 * i, 0, 2 * kLineWords);
      round_to_bf16(from.elements + column * from.layout.stride + 2 * i, pairs, count);
      std::fill(pairs + count, pairs + 2 * kLineWords, uint16_t{0});
    });
  } else {
    fill_plain(from, depth / 2, 2, out, [&](uint32_t* row, int64_t i, int64_t j, int64_t count) {
      const Real* const first = from.elements + i * from.layout.stride + j;
      const Real* const second = i + 1 < from.rows ? first + from.layout.stride : kZeros;
      HWY_DYNAMIC_DISPATCH(pair_rows)(first, second, row, count);
    });
  }
  hwy::FlushStream();
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE

#endif  // HEED_ONEDNN
