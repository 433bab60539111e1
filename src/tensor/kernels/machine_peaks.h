// What this machine can reach: the measures of every other speed. Each is the best of several short
// runs, since others on the machine only ever slow one down, with all threads() of parallel_for.
#pragma once

#include "tensor/kernels/kernels.h"

namespace heed::kernels {

// GFLOP/s of gemm_packed at large sizes that suit it, within about `seconds`. One multiplication
// and one addition count as two operations.
double measure_gemm_peak(double seconds = 1.0, Precision precision = Precision::f32);

// GB/s of memory that no cache holds, read and written by an addition of long rows.
double measure_memory_peak();

// 10^9 values of tanh a second, of numbers in the cache.
double measure_evaluation_peak();

}  // namespace heed::kernels
