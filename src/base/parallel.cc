#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "base/cores.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/parallel_backend.h"

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

namespace heed {
namespace {

thread_local bool inside_chunk = false;

// Marks the current thread as running chunks, and unmarks it even if a chunk throws.
class InsideChunk {
 public:
  InsideChunk() : before_(inside_chunk) { inside_chunk = true; }
  ~InsideChunk() { inside_chunk = before_; }
  InsideChunk(const InsideChunk&) = delete;
  InsideChunk& operator=(const InsideChunk&) = delete;

 private:
  bool before_;
};

void prepare_thread() {
  thread_local bool prepared = false;
  if (prepared) return;
  prepared = true;
  flush_denormals();
  keep_libraries_serial();
}

int default_threads() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  if (text == nullptr) return usable_cores();
  const std::string_view list(text);  // "4" or, for nested regions, "4,2"
  const auto wanted = parse_int(list.substr(0, list.find(',')));
  if (!wanted || *wanted < 1) return usable_cores();
  return static_cast<int>(std::min<int64_t>(*wanted, usable_cores()));
}

std::atomic<int>& thread_count() {
  static std::atomic<int> count{default_threads()};
  return count;
}

std::atomic<int64_t>& shared_call_count() {
  static std::atomic<int64_t> count{0};
  return count;
}

// One call of parallel_for: threads take chunks from `next` until none is left.
struct Job {
  int64_t n, grain, chunks;
  const void* f;
  void (*call)(const void*, int64_t, int64_t);
  std::atomic<int64_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;

  void run_chunk(int64_t chunk) const {
    const int64_t begin = chunk * grain;
    call(f, begin, std::min(n, begin + grain));
  }
};

void take_chunks(void* context) {
  prepare_thread();
  const InsideChunk inside;
  Job& job = *static_cast<Job*>(context);
  while (!job.failed.load(std::memory_order_relaxed)) {
    const int64_t chunk = job.next.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= job.chunks) return;
    try {
      job.run_chunk(chunk);
    } catch (...) {
      if (!job.failed.exchange(true)) job.error = std::current_exception();
    }
  }
}

}  // namespace

int usable_cores() {
  static const int cores = std::max(1, std::min(affinity_cores(), quota_cores()));
  return cores;
}

void set_threads(int count) {
  check(!inside_chunk, "[set_threads] must not be called inside parallel_for");
  prepare_thread();
  thread_count() = count > 0 ? std::min(count, usable_cores()) : default_threads();
}

int threads() { return thread_count(); }

int64_t shared_calls() { return shared_call_count(); }

const char* threading_name() { return backend_name(); }

void flush_denormals() {
#if defined(__x86_64__) || defined(__i386__)
  constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
  _mm_setcsr(_mm_getcsr() | kFlushToZero | kDenormalsAreZero);
#elif defined(__aarch64__)
  uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  constexpr uint64_t kFlushToZero = uint64_t{1} << 24;
  asm volatile("msr fpcr, %0" : : "r"(control | kFlushToZero));
#endif
}

void run_chunks(int64_t n, int64_t grain, const void* f,
                void (*call)(const void* f, int64_t begin, int64_t end)) {
  check(grain >= 1, "[parallel_for] grain must be at least 1. Received {}", grain);
  if (n <= 0) return;
  Job job{.n = n, .grain = grain, .chunks = (n - 1) / grain + 1, .f = f, .call = call, .error = {}};
  const int count = job.chunks == 1 || inside_chunk ? 1 : threads();
  if (count == 1) {
    prepare_thread();
    for (int64_t chunk = 0; chunk < job.chunks; ++chunk) job.run_chunk(chunk);
    return;
  }
  shared_call_count().fetch_add(1, std::memory_order_relaxed);
  // The number of threads is always the same, however few the chunks: OpenMP creates a new team
  // whenever the size changes.
  run_in_threads(count, take_chunks, &job);
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace heed
