#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "base/write_all.h"

namespace heed {
namespace {

constexpr size_t kBlock = size_t{1} << 16;

}  // namespace

Output::Output(const std::string& path) : path_(path) {
  if (path != "-") file_ = std::make_unique<AtomicFile>(path);
}

Output::~Output() {
  if (file_) return;  // not committed, so an incomplete file never appears
  try {
    flush();  // results that were ready when an error occurred are still written
  } catch (const UserError&) {
    // The reader has closed the pipe; the exception in flight says more.
  }
}

void Output::line(std::string_view text) {
  buffer_.append(text).push_back('\n');
  if (buffer_.size() < kBlock) return;
  if (!file_) return flush();
  file_->write(buffer_);
  buffer_.clear();
}

void Output::flush() {
  if (file_) return;
  const std::string bytes = std::exchange(buffer_, {});
  write_all(STDOUT_FILENO, bytes, "standard output");
}

void Output::commit() {
  if (!file_) return flush();
  file_->write(std::exchange(buffer_, {}));
  file_->commit();
}

}  // namespace heed
