// The layout in which oneDNN's AVX-512 products read their right-hand matrix [k, n], written from
// f32 in one pass. The library's own conversion reads rows that are far apart in memory, at a tenth
// of the memory's speed.
//
// Panel j holds the columns 64 j to 64 j + 63, row-major, with zeros past the ends of the
// matrix. In bf16 two rows become one row of pairs: the elements of rows 2 i and 2 i + 1 of a
// column are adjacent.
#pragma once

#include <cstdint>

#include "base/real.h"
#include "tensor/kernels/cpu/gemm/matrix_layout.h"

namespace heed::kernels::cpu {

constexpr int64_t kPanelColumns = 64;
// Words of 32 bits in a cache line, and rows and columns of a block that is transposed.
constexpr int64_t kLineWords = 16;

// The matrix to pack, as it is in memory.
struct PanelSource {
  const Real* elements;
  MatrixLayout layout;
  int64_t rows, columns;  // k, n
};

// `panels` has `depth` >= k rows per panel, a multiple of 16, in bf16 of 32, and is aligned to 64
// bytes. All of it is written, by streaming stores; other threads see it when this returns.
void fill_panels(const PanelSource& from, int64_t depth, Real* panels);
void fill_panels(const PanelSource& from, int64_t depth, uint16_t* panels);

}  // namespace heed::kernels::cpu
