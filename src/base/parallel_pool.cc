#ifndef HEED_OPENMP

#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/parallel_backend.h"

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

namespace heed {
namespace {

// The main thread may call oneDNN before its first parallel_for.
[[maybe_unused]] const bool kSerialByDefault = (keep_libraries_serial(), true);

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits until done(value) holds: polls for about 20 microseconds, then sleeps until notified.
template <typename Done>
uint64_t wait_until(const std::atomic<uint64_t>& value, const Done& done) {
  constexpr int kLooks = 500;
  for (int look = 0;; ++look) {
    const uint64_t now = value.load(std::memory_order_acquire);
    if (done(now)) return now;
    if (look < kLooks) {
      relax();
    } else {
      value.wait(now, std::memory_order_acquire);
    }
  }
}

// Threads that help with one task after another. A worker that wakes up after the task has ended is
// not waited for, so a busy machine costs little.
class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }

  ~Pool() {
    stopping_ = true;
    state_.fetch_add(kRound, std::memory_order_release);
    state_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  int workers() const { return static_cast<int>(threads_.size()); }

  void run(void (*task)(void*), void* context) {
    task_ = task;
    context_ = context;
    state_.fetch_add(kRound | kOpen, std::memory_order_release);
    state_.notify_all();
    task(context);
    state_.fetch_and(~kOpen, std::memory_order_relaxed);
    wait_until(state_, [](uint64_t state) { return (state & kInside) == 0; });
  }

 private:
  // The bits of state_: how many workers are inside the task, whether more may enter, and the
  // number of the task.
  static constexpr uint64_t kInside = 0xffff, kOpen = uint64_t{1} << 16, kRound = uint64_t{1} << 17;

  void work() {
    uint64_t round = 0;
    while (true) {
      uint64_t state = wait_until(state_, [&](uint64_t now) { return now / kRound != round; });
      if (stopping_) return;
      round = state / kRound;
      while ((state & kOpen) != 0 && state / kRound == round) {
        if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) continue;
        task_(context_);
        const uint64_t before = state_.fetch_sub(1, std::memory_order_acq_rel);
        if ((before & kInside) == 1 && (before & kOpen) == 0) state_.notify_all();
        break;
      }
    }
  }

  void (*task_)(void*) = nullptr;  // changed only while no worker is inside and none may enter
  void* context_ = nullptr;
  std::atomic<uint64_t> state_{0};
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

}  // namespace

void run_in_threads(int count, void (*task)(void* context), void* context) {
  static std::mutex mutex;
  static std::unique_ptr<Pool> pool;
  const std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock.owns_lock()) return task(context);
  if (!pool || pool->workers() != count - 1) {
    pool.reset();
    pool = std::make_unique<Pool>(count - 1);
  }
  pool->run(task, context);
}

// oneDNN may load OpenMP even though nothing here is linked with it.
void keep_libraries_serial() {
  using SetThreads = void (*)(int);
  static const auto set_threads =
      reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  if (set_threads != nullptr) set_threads(1);
}

const char* backend_name() { return "threads"; }

}  // namespace heed

#endif
