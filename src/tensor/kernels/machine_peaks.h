// What this machine can reach: the measures of every other speed. Each is the best of several short
// runs, since others on the machine only ever slow one down, with all threads() of parallel_for.
#pragma once

#include <cstdint>

#include "tensor/kernels/kernels.h"

namespace heed::kernels {

// GFLOP/s of gemm_packed at large sizes that suit it, within about `seconds`. One multiplication
// and one addition count as two operations.
double measure_gemm_peak(double seconds = 1.0, Precision precision = Precision::f32);

// GFLOP/s of one product [m, k] [k, n], the right side packed; and of c [k, n] += a^T b with a
// [m, k], b [m, n], the gradient of a weight [k, n]. The best within about `seconds`.
double measure_product(int64_t m, int64_t k, int64_t n, double seconds, Precision precision);
double measure_weight_gradient(int64_t m, int64_t k, int64_t n, double seconds,
                               Precision precision);

// GB/s of memory that no cache holds, read and written by an addition of long rows.
double measure_memory_peak();

// 10^9 values of tanh a second, of numbers in the cache.
double measure_evaluation_peak();

}  // namespace heed::kernels
