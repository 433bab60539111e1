// Speed of the matrix products at the sizes of a training step and of translation, in GFLOP/s. Not
// part of the build:
//   cmake --preset release && cmake --build --preset release
//   g++ -std=c++20 -O2 -fopenmp -Isrc scripts/bench/gemm_bench.cc
//   build/release/src/tensor/libheed_tensor.a
//     build/release/src/base/libheed_base.a -lfmt -lspdlog -lhwy -ldnnl -lz -lbenchmark -o
//     gemm_bench
//   ./gemm_bench [--benchmark_filter=packed]
#include <benchmark/benchmark.h>

#include <cstdint>

#include "base/parallel.h"
#include "tensor/arena.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/machine_peaks.h"

namespace {

using heed::Arena;
using heed::Tensor;

void count_operations(benchmark::State& state) {
  const auto operations =
      2.0 * static_cast<double>(state.range(0) * state.range(1) * state.range(2));
  state.counters["FLOP/s"] =
      benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
}

// c [M, N] += a [M, K] B.
void packed(benchmark::State& state) {
  const int64_t m = state.range(0), k = state.range(1), n = state.range(2);
  Arena arena;
  const Tensor a = arena.zeros({m, k}), b = arena.zeros({k, n}), c = arena.zeros({m, n});
  heed::kernels::PackedMatrix matrix;
  matrix.pack(b, false);
  for (auto _ : state) heed::kernels::gemm_packed(a, matrix, c, true);
  count_operations(state);
}
BENCHMARK(packed)
    ->UseRealTime()
    ->ArgNames({"M", "K", "N"})
    ->Args({80, 512, 1536})  // steps
    ->Args({80, 512, 512})
    ->Args({80, 1024, 1536})
    ->Args({1040, 256, 768})  // whole sequences
    ->Args({1040, 256, 1536})
    ->Args({1040, 512, 512})
    ->Args({256, 512, 8000})  // output, and its gradient
    ->Args({256, 8000, 512})
    ->Args({1, 512, 1536})  // translation
    ->Args({5, 512, 8000});

// c [M, N] += a^T b: the gradient of a weight.
void transposed(benchmark::State& state) {
  const int64_t m = state.range(0), k = state.range(1), n = state.range(2);
  Arena arena;
  const Tensor a = arena.zeros({k, m}), b = arena.zeros({k, n}), c = arena.zeros({m, n});
  for (auto _ : state) heed::kernels::gemm(a, true, b, false, c, true);
  count_operations(state);
}
BENCHMARK(transposed)
    ->UseRealTime()
    ->ArgNames({"M", "K", "N"})
    ->Args({256, 1040, 768})
    ->Args({512, 1040, 1536})
    ->Args({512, 256, 8000})
    ->Args({8000, 256, 256});

void peak(benchmark::State& state) {
  for (auto _ : state) state.counters["FLOP/s"] = 1e9 * heed::kernels::measure_gemm_peak();
}
BENCHMARK(peak)->UseRealTime()->Iterations(1);

}  // namespace

int main(int count, char** arguments) {
  heed::flush_denormals();
  heed::set_threads(0);
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
