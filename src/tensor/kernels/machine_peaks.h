// The highest speeds of this machine, to which other speeds are compared. Each is the best of
// several short runs with all threads(), since other programs can only slow a run down.
#pragma once

#include <cstdint>

#include "tensor/kernels/kernels.h"

namespace heed::kernels {

// GFLOP/s of gemm_packed at large sizes that suit it, measured for about `seconds`. A
// multiplication and an addition count as two operations.
double measure_gemm_peak(double seconds = 1.0, Precision precision = Precision::f32);

// GFLOP/s of one product [m, k] [k, n], the right side packed; and of c [k, n] = a^T b with a [m,
// k], b [m, n], the gradient of a weight [k, n]. Measured for about `seconds`.
double measure_product(int64_t m, int64_t k, int64_t n, double seconds, Precision precision);
double measure_weight_gradient(int64_t m, int64_t k, int64_t n, double seconds,
                               Precision precision);

// GB/s of memory outside the caches, read and written by an addition of long rows.
double measure_memory_peak();

// 10^9 values of tanh per second, of elements in the cache.
double measure_evaluation_peak();

}  // namespace heed::kernels
