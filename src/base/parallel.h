// The only door to threads that compute. Work is cut into chunks by size, never by the number of
// threads, so that a result can't depend on it.
#pragma once

#include <cstdint>
#include <functional>

namespace heed {

// Cores this process may use (affinity and cgroup quota), at least 1.
int usable_cores();

// Threads that parallel_for uses from now on; 0 = OMP_NUM_THREADS if it is set, else
// usable_cores(). Never more than usable_cores(). Not to be called inside parallel_for.
void set_threads(int count);
int threads();

// What runs the threads, for the log and bench: "OpenMP" or "threads".
const char* threading_name();

// Sets flush-to-zero and denormals-are-zero in the calling thread (x86 and ARM). parallel_for does
// it in every thread it uses; call it once at program start for the main thread.
void flush_denormals();

// How many calls of parallel_for have been handed to several threads so far.
int64_t shared_calls();

using RangeFunction = std::function<void(int64_t begin, int64_t end)>;

// parallel_for for any callable, known by its address: nothing is copied and nothing allocated.
void run_chunks(int64_t n, int64_t grain, const void* f,
                void (*call)(const void* f, int64_t begin, int64_t end));

// Calls f(begin, end) once for each chunk of [0, n): chunk c is [c * grain, min(n, (c + 1) *
// grain)). Chunks may run at the same time and in any order. With one chunk, or inside another
// parallel_for, runs in the calling thread. The first exception thrown by f is rethrown here, after
// all running chunks have ended; chunks that had not begun by then are left out. Requires grain
// >= 1.
template <typename F>
void parallel_for(int64_t n, int64_t grain, const F& f) {
  run_chunks(n, grain, &f, [](const void* object, int64_t begin, int64_t end) {
    (*static_cast<const F*>(object))(begin, end);
  });
}

}  // namespace heed
