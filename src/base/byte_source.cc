#include "base/byte_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"

namespace heed {
namespace {

constexpr size_t kBlock = size_t{1} << 16;
constexpr char kMagic[] = "\x1f\x8b";

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

ByteSource::ByteSource(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  if (path.empty()) fail("a file name is empty: give the name of a file, or - for standard input");
  descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail("{}: cannot open: {}", name_, reason());
  struct stat about {};
  if (::fstat(descriptor_, &about) == 0 && S_ISDIR(about.st_mode)) {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
    fail("{}: cannot open: it is a folder", name_);
  }
}

ByteSource::~ByteSource() {
  if (unpack_) inflateEnd(unpack_.get());
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

bool ByteSource::can_read() const {
  if (ended_) return true;
  pollfd query{.fd = descriptor_, .events = POLLIN, .revents = 0};
  return ::poll(&query, 1, 0) > 0;
}

// Appends the result of one read() to raw_; returns 0 at the end.
size_t ByteSource::read_raw() {
  const size_t before = raw_.size();
  raw_.resize(before + kBlock);
  ssize_t count = 0;
  do {
    count = ::read(descriptor_, raw_.data() + before, kBlock);
  } while (count < 0 && errno == EINTR);
  const int error = errno;
  raw_.resize(before + static_cast<size_t>(count > 0 ? count : 0));
  if (count < 0) fail("{}: cannot read: {}", name_, std::generic_category().message(error));
  if (count == 0) ended_ = true;
  return static_cast<size_t>(count);
}

// Finds out from the first two bytes whether the input is plain or gzip.
void ByteSource::find_kind() {
  if (raw_.size() < 2 && !ended_) return;
  kind_known_ = true;
  if (raw_.compare(0, 2, kMagic) != 0) return;
  unpack_ = std::make_unique<z_stream>();
  constexpr int kGzipOnly = 16;
  check(inflateInit2(unpack_.get(), MAX_WBITS + kGzipOnly) == Z_OK, "[inflateInit2] failed");
  member_open_ = true;
}

bool ByteSource::append_to(std::string& text) {
  if (!ended_) read_raw();
  if (!kind_known_) find_kind();
  if (!kind_known_) return true;
  if (unpack_) {
    unpack_to(text);
  } else {
    text += raw_;
    raw_.clear();
  }
  return !ended_;
}

void ByteSource::unpack_to(std::string& text) {
  size_t used = 0;
  while (used < raw_.size()) {
    if (!member_open_) {  // a member may be followed by another one, or by zero bytes as padding
      if (raw_[used] == '\0') {
        ++used;
        continue;
      }
      inflateReset(unpack_.get());
      member_open_ = true;
    }
    unpack_->next_in = reinterpret_cast<Bytef*>(raw_.data() + used);
    unpack_->avail_in = static_cast<uInt>(raw_.size() - used);
    const size_t before = text.size();
    text.resize(before + 4 * kBlock);
    unpack_->next_out = reinterpret_cast<Bytef*>(text.data() + before);
    unpack_->avail_out = static_cast<uInt>(text.size() - before);
    const int status = inflate(unpack_.get(), Z_NO_FLUSH);
    text.resize(text.size() - unpack_->avail_out);
    used = raw_.size() - unpack_->avail_in;
    if (status == Z_STREAM_END) {
      member_open_ = false;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail("{}: cut or damaged gzip data", name_);
    }
  }
  raw_.clear();
  if (ended_ && member_open_) fail("{}: cut or damaged gzip data", name_);
}

}  // namespace heed
