#include "base/write_all.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"

namespace heed {

std::string error_text(int error) { return std::generic_category().message(error); }

void write_all(int descriptor, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EAGAIN ||
               errno == EWOULDBLOCK) {  // another program made the pipe non-blocking
      pollfd query{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&query, 1, -1);
    } else if (errno != EINTR) {
      fail("{}: cannot write: {}", name, error_text(errno));
    }
  }
}

}  // namespace heed
