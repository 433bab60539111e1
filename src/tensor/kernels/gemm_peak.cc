#include "tensor/kernels/gemm_peak.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>

#include "tensor/arena.h"
#include "tensor/kernels/kernels.h"

namespace heed::kernels {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Seconds of one product [m, k] [k, n]; the best run counts, since others on the machine only ever
// slow it down.
double best_time(int64_t m, int64_t k, int64_t n, double seconds) {
  Arena arena;
  const Tensor a = arena.zeros({m, k}), b = arena.zeros({k, n}), c = arena.zeros({m, n});
  fill(a, Real(0.5));  // ordinary numbers: nothing may be faster or slower for being zero
  fill(b, Real(0.25));
  PackedMatrix packed;
  packed.pack(b, false);
  gemm_packed(a, packed, c, false);  // builds the products, wakes the threads
  double best = 1e30;
  const Clock::time_point start = Clock::now();
  do {
    const Clock::time_point before = Clock::now();
    gemm_packed(a, packed, c, false);
    best = std::min(best, since(before));
  } while (since(start) < seconds);
  return best;
}

}  // namespace

double measure_gemm_peak(double seconds) {
  struct Size {
    int64_t m, k, n;
  };
  // The small ones take about a millisecond on two cores, so that one of the runs falls between the
  // interruptions of a busy machine; the large one keeps many cores busy.
  constexpr Size kSizes[] = {{256, 512, 512}, {512, 512, 1024}, {2048, 512, 2048}};
  double peak = 0;
  for (const auto& [m, k, n] : kSizes) {
    const double operations = 2.0 * static_cast<double>(m * k * n);
    peak = std::max(peak, operations / best_time(m, k, n, seconds / std::size(kSizes)) / 1e9);
  }
  return peak;
}

}  // namespace heed::kernels
