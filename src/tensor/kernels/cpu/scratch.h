// Memory for the duration of a call that the calling thread keeps for its next call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heed::kernels::cpu {

// `size` elements of T with any content. Two that are alive at once have memory of their own; after
// that the thread keeps the larger one. Each Owner, a type that names the use, is kept apart, so
// that uses within each other don't drop each other's memory.
template <typename T, typename Owner>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(int64_t size) : elements_(std::exchange(kept(), {})) {
    if (elements_.size() < static_cast<size_t>(size)) elements_.resize(static_cast<size_t>(size));
  }
  ~Scratch() {
    if (elements_.size() > kept().size()) kept().swap(elements_);
  }
  Scratch(Scratch&&) noexcept = default;
  Scratch& operator=(Scratch&& other) noexcept {
    elements_.swap(other.elements_);
    return *this;
  }

  T* data() { return elements_.data(); }
  const T* data() const { return elements_.data(); }

 private:
  static std::vector<T>& kept() {
    static thread_local std::vector<T> elements;
    return elements;
  }

  std::vector<T> elements_;
};

}  // namespace heed::kernels::cpu
