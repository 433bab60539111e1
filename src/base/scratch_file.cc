#include "base/scratch_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/error.h"
#include "base/write_all.h"

namespace heed {
namespace {

constexpr size_t kBuffer = size_t{1} << 20;

// One read maps up to 16 pages (Linux maps cached pages around the requested one), so at most about
// 16 MB are resident.
constexpr uint32_t kReadsBeforeLetGo = 256;

// A file that no folder lists: no other run can find it, and nothing is left if the
// process is killed.
int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
  const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;  // else the file system may not support such files
#endif
  std::string path = folder + "/heed-XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(path.c_str());
  return descriptor;
}

}  // namespace

ScratchFile::ScratchFile(const std::string& folder, const std::string& advice)
    : folder_(folder), advice_(advice), descriptor_(open_nameless(folder)) {
  if (descriptor_ < 0)
    fail("{}: cannot make a temporary file: {}; {}", folder_, error_text(errno), advice_);
}

ScratchFile::~ScratchFile() {
  if (map_ != nullptr) ::munmap(map_, static_cast<size_t>(size_));
  ::close(descriptor_);
}

void ScratchFile::append(std::string_view bytes) {
  check(map_ == nullptr, "[ScratchFile::append] after finish()");
  if (buffer_.size() + bytes.size() > kBuffer) flush();
  if (bytes.size() > kBuffer) {
    write(bytes);
  } else {
    buffer_ += bytes;
  }
  size_ += static_cast<int64_t>(bytes.size());
}

void ScratchFile::write(std::string_view bytes) {
  try {
    write_all(descriptor_, bytes, folder_);
  } catch (const UserError& error) {
    fail("{}; {}", error.what(), advice_);
  }
}

void ScratchFile::flush() {
  write(buffer_);
  buffer_.clear();
}

void ScratchFile::finish() {
  flush();
  std::string().swap(buffer_);
  if (size_ == 0 || map_ != nullptr) return;
  // Some file systems report only now that the disk is full.
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS)
    fail("{}: cannot write: {}; {}", folder_, error_text(errno), advice_);
  const auto bytes = static_cast<size_t>(size_);
  void* map = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (map == MAP_FAILED)
    fail("{}: cannot map a temporary file of {} bytes: {}; {}", folder_, size_, error_text(errno),
         advice_);
  map_ = static_cast<char*>(map);
  ::madvise(map_, bytes, MADV_RANDOM);  // read-ahead would fetch pages that nobody asked for
}

const char* ScratchFile::at(int64_t begin) const {
  check(map_ != nullptr, "[ScratchFile::at] before finish()");
  if (reads_.fetch_add(1, std::memory_order_relaxed) % kReadsBeforeLetGo == 0)
    ::madvise(map_, static_cast<size_t>(size_), MADV_DONTNEED);
  return map_ + begin;
}

}  // namespace heed
