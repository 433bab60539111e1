// A queue of items that one thread makes before they are needed.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace heed {

// Calls `make` repeatedly in a thread of its own while fewer than `capacity` items are waiting.
// `make` must not use parallel_for: its threads belong to the consumer of the items.
template <typename T>
class ReadAhead {
 public:
  ReadAhead(std::function<T()> make, size_t capacity)
      : make_(std::move(make)), capacity_(capacity), thread_([this] { work(); }) {}

  // Waits for the item that is being made, if any.
  ~ReadAhead() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Waits for the next item, in the order in which items were made. If `make` threw, rethrows that
  // exception in place of the item, and again at every further call.
  T next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !items_.empty() || error_; });
    if (items_.empty()) std::rethrow_exception(error_);
    T item = std::move(items_.front());
    items_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return item;
  }

 private:
  // Returns false if the thread should end.
  bool wait_for_room() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopping_ || items_.size() < capacity_; });
    return !stopping_;
  }

  void work() {
    std::exception_ptr error;
    while (!error && wait_for_room()) {
      try {
        T item = make_();
        const std::lock_guard lock(mutex_);
        items_.push_back(std::move(item));
      } catch (...) {
        error = std::current_exception();
        const std::lock_guard lock(mutex_);
        error_ = error;
      }
      changed_.notify_all();
    }
  }

  std::function<T()> make_;
  size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;  // refers to all members below
  std::deque<T> items_;
  std::exception_ptr error_;
  bool stopping_ = false;
  std::thread thread_;  // last: the thread uses the other members
};

}  // namespace heed
