#include "serve/connection.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/numbers.h"
#include "serve/framing.h"
#include "serve/http_error.h"

namespace heed::serve {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{100};  // how often a waiting thread checks whether to stop
constexpr int64_t kMostHead = 64 * 1024;
constexpr size_t kMostLine = 8192;  // of the head; httplib's limit

void name_address(const sockaddr_storage& address, socklen_t size, std::string& ip, int& port) {
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> service{};
  if (::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(),
                    service.data(), service.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return;
  ip = host.data();
  port = static_cast<int>(parse_int(service.data()).value_or(0));
}

}  // namespace

Connection::Connection(int socket, const ConnectionLimits& limits,
                       const std::atomic<bool>& stopping)
    : socket_(socket), limits_(limits), stopping_(stopping) {
  // Head and body of a response are written separately; neither must be delayed until the other has
  // arrived (Nagle's algorithm).
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

Connection::~Connection() {
  if (!is_in_step()) let_go();
  ::close(socket_);
}

// Closing a socket with unread data resets the connection, and the response is lost. So the data
// that the client still sends is read for a moment.
void Connection::let_go() {
  constexpr milliseconds kMoment{1000};
  constexpr int64_t kMost = 16'000'000;
  ::shutdown(socket_, SHUT_WR);
  std::array<char, 16 * 1024> nothing;
  const auto until = Clock::now() + kMoment;
  for (int64_t bytes = 0; bytes < kMost && wait(POLLIN, until);) {
    const ssize_t count = ::recv(socket_, nothing.data(), nothing.size(), MSG_DONTWAIT);
    if (count <= 0) return;
    bytes += count;
  }
}

// Returns false when the time is over.
bool Connection::wait(short events, Clock::time_point until) const {
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd state{socket_, events, 0};
    const int ready = ::poll(&state, 1, static_cast<int>(std::min(left, kLook).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (stopping_ && events == POLLIN) return false;
  }
}

bool Connection::wait_for_request(const std::function<bool()>& give_up) {
  const auto until = Clock::now() + limits_.idle;
  while (buffer_.empty()) {
    if (wait(POLLIN, std::min(until, Clock::now() + kLook))) return true;
    if (stopping_ || Clock::now() >= until || give_up()) return false;
  }
  return true;
}

void Connection::begin_request() {
  head_read_ = chunked_ = answering_ = gave_up_ = false;
  may_read_ = kMostHead;
  read_until_ = Clock::now() + limits_.client;
}

// httplib drops a head that is too long without a response, or with a wrong one.
int Connection::look_at_head() {
  buffer_.erase(0, next_);
  next_ = 0;
  bool is_first = true;
  for (size_t begin = 0;;) {
    const size_t end = buffer_.find('\n', begin);
    const size_t size = std::min(end, buffer_.size()) - begin;
    if (size > kMostLine) return is_first ? 414 : 431;
    if (begin + size >= static_cast<size_t>(kMostHead)) return 431;
    if (end == std::string::npos) {
      if (receive()) continue;
      return 0;  // httplib answers it
    }
    if (size == 1 && buffer_[begin] == '\r') return 0;
    begin = end + 1;
    is_first = false;
  }
}

// Returns false if nothing more comes, or not in time.
bool Connection::receive() {
  if (!wait(POLLIN, read_until_)) {
    gave_up_ = true;
    return false;
  }
  std::array<char, 16 * 1024> received;
  const ssize_t count = ::recv(socket_, received.data(), received.size(), 0);
  if (count > 0) buffer_.append(received.data(), static_cast<size_t>(count));
  return count > 0;
}

void Connection::head_was_read(const httplib::Request& request) {
  head_read_ = true;
  // The overhead of chunks is at most as large as their content.
  const int64_t most = 2 * limits_.most_body + kMostHead;
  try {
    const Framing framing = framing_of(request);
    chunked_ = framing.chunked;
    may_read_ = chunked_ ? most : framing.length;
  } catch (const HttpError&) {  // the routes report it: nothing more is read
    chunked_ = true;
    may_read_ = 0;
  }
}

bool Connection::is_in_step() const { return head_read_ && !chunked_ && may_read_ == 0; }

bool Connection::is_readable() const { return !buffer_.empty() || wait(POLLIN, read_until_); }

bool Connection::is_writable() const { return wait(POLLOUT, Clock::now() + limits_.client); }

ssize_t Connection::read(char* to, size_t size) {
  const size_t most = std::min(size, static_cast<size_t>(std::max<int64_t>(may_read_, 0)));
  if (most == 0) return size == 0 ? 0 : -1;
  answering_ = false;
  if (buffer_.empty()) {
    next_ = 0;
    if (!receive()) return gave_up_ ? -1 : 0;
  }
  const size_t count = std::min(most, buffer_.size() - next_);
  std::copy_n(buffer_.data() + next_, count, to);
  next_ += count;
  if (next_ == buffer_.size()) {
    buffer_.clear();
    next_ = 0;
  }
  may_read_ -= static_cast<int64_t>(count);
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* from, size_t size) {
  if (!answering_) write_until_ = Clock::now() + limits_.client;
  answering_ = true;
  while (wait(POLLOUT, write_until_)) {
    const ssize_t count = ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) return count;
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return -1;
  }
  return -1;
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getpeername(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0)
    name_address(address, size, ip, port);
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0)
    name_address(address, size, ip, port);
}

}  // namespace heed::serve
