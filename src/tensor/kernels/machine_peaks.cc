#include "tensor/kernels/machine_peaks.h"

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

// The shortest time of f within `seconds`.
template <typename F>
double best_time(double seconds, const F& f) {
  double best = 1e30;
  const Clock::time_point start = Clock::now();
  do {
    const Clock::time_point before = Clock::now();
    f();
    best = std::min(best, since(before));
  } while (since(start) < seconds);
  return best;
}

double giga_operations(int64_t m, int64_t k, int64_t n) {
  return 2e-9 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
}

Tensor filled(Arena& arena, const Shape& shape, Real value) {
  const Tensor tensor = arena.zeros(shape);
  fill(tensor, value);  // not zeros, with which some arithmetic takes another time
  return tensor;
}

}  // namespace

double measure_product(int64_t m, int64_t k, int64_t n, double seconds, Precision precision) {
  Arena arena;
  const Tensor a = filled(arena, {m, k}, Real(0.5)), b = filled(arena, {k, n}, Real(0.25));
  const Tensor c = arena.zeros({m, n});
  PackedMatrix packed;
  packed.pack(b, false, precision);
  gemm_packed(a, packed, c, false);  // builds the products and wakes the threads
  return giga_operations(m, k, n) / best_time(seconds, [&] { gemm_packed(a, packed, c, false); });
}

double measure_weight_gradient(int64_t m, int64_t k, int64_t n, double seconds,
                               Precision precision) {
  Arena arena;
  const Tensor a = filled(arena, {m, k}, Real(0.5)), b = filled(arena, {m, n}, Real(0.25));
  const Tensor c = arena.zeros({k, n});
  gemm({a, true}, {b}, c, false, precision);
  return giga_operations(m, k, n) / best_time(seconds, [&] {
           gemm({a, true}, {b}, c, false, precision);
         });
}

double measure_gemm_peak(double seconds, Precision precision) {
  struct Size {
    int64_t m, k, n;
  };
  // The small ones take about a millisecond on two cores, so that one of the runs falls between the
  // interruptions of a busy machine; the large one keeps many cores busy.
  constexpr Size kSizes[] = {{256, 512, 512}, {512, 512, 1024}, {2048, 512, 2048}};
  double peak = 0;
  for (const auto& [m, k, n] : kSizes)
    peak = std::max(peak, measure_product(m, k, n, seconds / std::size(kSizes), precision));
  Arena::free_spare_blocks();  // what is measured next counts its own memory only
  return peak;
}

double measure_memory_peak() {
  constexpr int64_t kElements = int64_t{1} << 25;  // longer than any cache
  Arena arena;
  const Tensor x = arena.zeros({kElements}), y = arena.zeros({kElements});
  const double seconds = best_time(0.3, [&] { add(x, y); });
  return 3 * sizeof(Real) * static_cast<double>(kElements) / seconds / 1e9;
}

double measure_evaluation_peak() {
  constexpr int64_t kElements = int64_t{1} << 17;
  Arena arena;
  const Tensor x = arena.zeros({kElements}), y = arena.zeros({kElements});
  fill(x, Real(0.5));
  return static_cast<double>(kElements) / best_time(0.1, [&] { tanh(x, y); }) / 1e9;
}

}  // namespace heed::kernels
