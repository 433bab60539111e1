// The only way to compute with several threads. Work is cut into chunks by its size, never by the
// number of threads, so that no result depends on that number.
#pragma once

#include <cstdint>
#include <functional>

namespace heed {

// The number of cores this process may use (affinity and cgroup quota), at least 1.
int usable_cores();

// Sets the number of threads for later calls of parallel_for. 0 means OMP_NUM_THREADS if
// it is set, else usable_cores(). More than usable_cores() are never used. Must not be
// called inside parallel_for.
void set_threads(int count);
int threads();

// The threading library, for the log and bench: "OpenMP" or "threads".
const char* threading_name();

// Sets flush-to-zero and denormals-are-zero in the calling thread (x86 and ARM). Call it once in
// the main thread at program start; parallel_for does it in its own threads.
void flush_denormals();

// The number of calls of parallel_for so far that used several threads.
int64_t shared_calls();

using RangeFunction = std::function<void(int64_t begin, int64_t end)>;

// parallel_for for any callable, passed by address: nothing is copied or allocated.
void run_chunks(int64_t n, int64_t grain, const void* f,
                void (*call)(const void* f, int64_t begin, int64_t end));

// Calls f(begin, end) once for each chunk of [0, n). Chunk c is [c * grain, min(n, (c + 1) *
// grain)). Chunks may run concurrently and in any order. A single chunk, and any call from inside
// another parallel_for, runs in the calling thread. The first exception that f throws is rethrown
// after all running chunks have ended; chunks not yet started are skipped. Requires grain >= 1.
template <typename F>
void parallel_for(int64_t n, int64_t grain, const F& f) {
  run_chunks(n, grain, &f, [](const void* object, int64_t begin, int64_t end) {
    (*static_cast<const F*>(object))(begin, end);
  });
}

}  // namespace heed
