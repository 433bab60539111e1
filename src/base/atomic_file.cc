#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/numbers.h"
#include "base/write_all.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// The path from which a file without a name can be linked.
std::string link_source(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

// Calls make(NAME) with names in the folder of `path` until one is free, and stores that
// name in `temporary`.
template <typename Make>
int make_beside(const std::string& path, std::string& temporary, Make make) {
  static std::atomic<int> counter{0};
  while (true) {
    temporary = fmt::format("{}.{}-{}.tmp", path, ::getpid(), ++counter);
    const int result = make(temporary.c_str());
    if (result >= 0 || errno != EEXIST) return result;
  }
}

// Opens a new file without a name in the folder of `path`: however the process ends, nothing is
// left behind. Returns -1 if the file system has no such files or could not link one later.
int open_nameless(const std::string& path) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0 || ::access(link_source(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
#endif
  return -1;
}

int open_named(const std::string& path, std::string& temporary) {
  return make_beside(path, temporary, [](const char* name) {
    return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  });
}

int link_beside(int descriptor, const std::string& path, std::string& temporary) {
  return make_beside(path, temporary, [descriptor](const char* name) {
    return ::linkat(AT_FDCWD, link_source(descriptor).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
  });
}

// If `path` is a symbolic link, the file it points to, which is replaced while the link stays.
std::string resolve(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path real = fs::canonical(path, error);
  return error ? path : real.string();
}

// Duplicates the descriptor that "/dev/stdout", "/dev/stderr" or "/dev/fd/3" names; -1 for any
// other path. If the descriptor is a file, it is written to directly, because its content is not
// ours to replace.
int open_inherited(const std::string& path) {
  if (path == "/dev/stdout") return ::dup(STDOUT_FILENO);
  if (path == "/dev/stderr") return ::dup(STDERR_FILENO);
  constexpr std::string_view kFolder = "/dev/fd/";
  if (!path.starts_with(kFolder)) return -1;
  const auto number = parse_int(path.substr(kFolder.size()));
  return number && *number >= 0 && *number <= 1'000'000 ? ::dup(static_cast<int>(*number)) : -1;
}

// Makes a rename survive a power failure. Some file systems do not support this, which is
// not an error.
void sync_folder(const std::string& path) {
  const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path), descriptor_(open_inherited(path)) {
  if (descriptor_ >= 0) return;
  path_ = resolve(path);
  struct stat about {};
  const bool exists = ::stat(path_.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) fail("{}: cannot write: it is a folder", path_);
  if (exists && !S_ISREG(about.st_mode)) {  // a device or a pipe is written to, never replaced
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    replaces_ = true;
    descriptor_ = open_nameless(path_);
    if (descriptor_ < 0) descriptor_ = open_named(path_, temporary_);
  }
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("{}: cannot write: {}", path_, error_text(errno));
  }
  if (exists && replaces_ && ::fchmod(descriptor_, about.st_mode & 07777) != 0) {
    // Some file systems store no mode; the new file then keeps the default one.
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) { write_all(descriptor_, bytes, path_); }

void AtomicFile::commit() {
  check(descriptor_ >= 0, "[AtomicFile::commit] called twice for {}", path_);
  const auto must = [this](int result) {
    if (result < 0) fail("{}: cannot write: {}", path_, error_text(errno));
  };
  if (replaces_) must(::fsync(descriptor_));
  if (replaces_ && temporary_.empty()) must(link_beside(descriptor_, path_, temporary_));
  must(::close(std::exchange(descriptor_, -1)));
  if (!replaces_) return;
  must(::rename(temporary_.c_str(), path_.c_str()));
  temporary_.clear();
  sync_folder(path_);
}

void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void make_writable_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail("{}: cannot make the folder: {}", path, error.message());
  if (!fs::is_directory(path, error)) fail("{}: it is a file, not a folder", path);
  try {
    // never committed, so it leaves nothing
    AtomicFile probe((fs::path(path) / "write-test").string());
    probe.write("x");
  } catch (const UserError& problem) {
    fail("{}: cannot write in this folder ({})", path, problem.what());
  }
}

}  // namespace heed
