// What this machine's matrix products can reach: the measure of every other speed.
#pragma once

namespace heed::kernels {

// GFLOP/s of gemm_packed at large sizes that suit it, with all threads() of parallel_for: the best
// of several runs within about `seconds`. One multiplication and one addition count as two
// operations.
double measure_gemm_peak(double seconds = 1.0);

}  // namespace heed::kernels
