// An array that grows at its end. It can be moved from memory to a temporary file when
// it gets large.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/scratch_file.h"

namespace heed {

template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  int64_t size() const {
    return file_ ? file_->size() / static_cast<int64_t>(sizeof(T))
                 : static_cast<int64_t>(items_.size());
  }

  void append(std::span<const T> items) {
    if (file_) {
      file_->append({reinterpret_cast<const char*>(items.data()), items.size_bytes()});
    } else {
      items_.insert(items_.end(), items.begin(), items.end());
    }
  }

  // Moves all items to a ScratchFile(folder, advice) and frees their memory. Items appended later
  // can be read after finish().
  void move_to_file(const std::string& folder, const std::string& advice) {
    auto file = std::make_unique<ScratchFile>(folder, advice);
    file->append({reinterpret_cast<const char*>(items_.data()), items_.size() * sizeof(T)});
    std::vector<T>().swap(items_);
    file_ = std::move(file);
  }

  void finish() {
    if (file_) file_->finish();
  }

  // Valid until the next append, or, after move_to_file(), as long as the array exists.
  std::span<const T> view(int64_t begin, int64_t count) const {
    if (count == 0) return {};
    const auto length = static_cast<size_t>(count);
    if (!file_) return std::span(items_).subspan(static_cast<size_t>(begin), length);
    const char* bytes = file_->at(begin * static_cast<int64_t>(sizeof(T)));
    return {reinterpret_cast<const T*>(bytes), length};  // mapped at a page boundary, so aligned
  }

 private:
  std::vector<T> items_;
  std::unique_ptr<ScratchFile> file_;
};

}  // namespace heed
