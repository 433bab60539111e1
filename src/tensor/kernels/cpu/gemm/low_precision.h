// Operands of packed products in fewer bits: f32 rounded to bf16, or to integers of 8 bits
// with a scale.
#pragma once

#include <cstdint>

#include "base/real.h"

namespace heed::kernels::cpu {

// y = x to nearest, ties to even; NaN stays NaN.
void round_to_bf16(const Real* x, uint16_t* y, int64_t n);

// y [columns, depth] = the transpose of x [rows, columns], whose rows are `stride` apart, in bf16;
// zeros from `rows` to `depth`. Requires rows <= depth, a multiple of 8.
void transpose_to_bf16(const Real* x, int64_t rows, int64_t stride, int64_t columns, int64_t depth,
                       uint16_t* y);

// y = x / scale to nearest, in [-127, 127]; returns the scale, max |x| / 127, or 0 if all are 0.
Real quantise(const Real* x, int8_t* y, int64_t n);

// The same with a scale per column: `scales` from all rows of x [rows, columns], which are `stride`
// apart; y [rows, columns] contiguous.
void quantise_columns(const Real* x, int64_t rows, int64_t stride, int64_t columns, int8_t* y,
                      Real* scales);

// y = row_scale column_scales[j] x[j], or y += if `accumulate`.
void scale_integers(const int32_t* x, Real row_scale, const Real* column_scales, Real* y, int64_t n,
                    bool accumulate);

}  // namespace heed::kernels::cpu
