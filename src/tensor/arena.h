// Memory of one training step: allocation moves a pointer, reset() frees everything at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "tensor/tensor.h"

namespace heed {

// Not thread-safe: only the thread that builds the tape allocates. reset() keeps the memory, as one
// block, so that a steady state neither calls malloc nor leaves the ends of blocks unused. What is
// allocated starts uninitialised and aligned to 64 bytes.
class Arena {
 public:
  explicit Arena(Device device = Device::cpu) : device_(device) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  Device device() const { return device_; }
  Tensor tensor(const Shape& shape) { return array<Real>(shape); }
  Tensor zeros(const Shape& shape);
  template <typename T>
  View<T> array(const Shape& shape) {
    return {static_cast<T*>(bytes(static_cast<size_t>(shape.size()) * sizeof(T))), shape, device_};
  }

  // release() frees what was allocated after mark(): for scratch memory inside an op.
  struct Mark {
    size_t block, used;
  };
  Mark mark() const { return {block_, used_}; }
  void release(Mark mark);
  void reset();

  // Arenas leave some of their memory to later arenas of the same thread; this returns what the
  // calling thread keeps so to the system.
  static void free_spare_blocks();

  size_t peak_bytes() const { return peak_; }
  size_t capacity_bytes() const;

 private:
  friend class HostArena;
  struct Block {
    char* data;
    size_t size;
  };
  void* bytes(size_t count, size_t alignment = 64);
  Block make_block(size_t size) const;

  Device device_;
  std::vector<Block> blocks_;
  size_t block_ = 0;  // index of the block in use
  size_t used_ = 0;   // bytes used in it
  size_t peak_ = 0;
  size_t before_ = 0;  // bytes in the blocks before block_
};

// Memory of the host for objects that live as long as a tape. Their destructors are not called.
class HostArena {
 public:
  template <typename T>
  T* make(T&& object) {
    return ::new (arena_.bytes(sizeof(T), alignof(T))) T(std::forward<T>(object));
  }

 private:
  Arena arena_;
};

}  // namespace heed
