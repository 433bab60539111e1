#include "train/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// Whether it is a temporary file of AtomicFile for one that a run writes: "last.heed.1234-5.tmp".
bool is_leftover(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!name.ends_with(".tmp")) return false;
  for (const char* written : {"best.heed.", "last.heed.", "config.yaml.", "log.jsonl."}) {
    if (name.starts_with(written)) return true;
  }
  return false;
}

void remove_leftovers(const std::string& path) {
  std::error_code ignored;  // a file that can't be removed does no harm
  std::vector<fs::path> leftovers;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored)) {
    if (is_leftover(entry.path())) leftovers.push_back(entry.path());
  }
  for (const fs::path& file : leftovers) fs::remove(file, ignored);
}

}  // namespace

RunFolder::RunFolder(const std::string& path) {
  make_writable_folder(path);
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Training works on a file system without locks too: it gives another errno.
  if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor_);
    fail("{}: another heed train works there; wait for its end or choose another run.dir", path);
  }
  remove_leftovers(path);
}

RunFolder::~RunFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace heed
