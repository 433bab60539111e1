#ifndef HEED_OPENMP

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/parallel_backend.h"

namespace heed {
namespace {

// Waits until `value` is no longer `old`: looks often for a few microseconds, then sleeps.
template <typename T>
T wait_for_change(const std::atomic<T>& value, T old) {
  constexpr int kLooks = 2000;
  for (int look = 0; look < kLooks; ++look) {
    const T now = value.load(std::memory_order_acquire);
    if (now != old) return now;
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

// Threads that each run every task once. A task is published by raising round_, and has ended when
// busy_ is 0.
class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }

  ~Pool() {
    task_ = nullptr;
    publish();
    for (std::thread& thread : threads_) thread.join();
  }

  int workers() const { return static_cast<int>(threads_.size()); }

  void run(void (*task)(void*), void* context) {
    task_ = task;
    context_ = context;
    publish();
    task(context);
    for (int left = busy_.load(std::memory_order_acquire); left != 0;)
      left = wait_for_change(busy_, left);
  }

 private:
  void publish() {
    busy_.store(workers(), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }

  void work() {
    uint32_t round = 0;
    while (true) {
      round = wait_for_change(round_, round);
      if (task_ == nullptr) return;
      task_(context_);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }

  void (*task_)(void*) = nullptr;
  void* context_ = nullptr;
  std::atomic<uint32_t> round_{0};
  std::atomic<int> busy_{0};
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

void keep_libraries_serial() {}

const char* backend_name() { return "threads"; }

}  // namespace heed

#endif
