#include "serve/http_server.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "base/write_all.h"

namespace heed::serve {
namespace {

constexpr int kMostRequests = 1000;  // per connection

// httplib does not pass the connection to handlers, so they find it here.
thread_local const Connection* served = nullptr;

void check_name(const std::string& host) {
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), nullptr, nullptr, &found);
  if (error == 0) return ::freeaddrinfo(found);
  fail("--host {}: the name can't be resolved ({}); give an address of this machine, as 127.0.0.1",
       host, ::gai_strerror(error));
}

[[noreturn]] void fail_to_bind(const std::string& host, int port, int error) {
  check_name(host);
  if (error == EADDRINUSE)
    fail("--port {}: it is in use; choose another, or 0 for any that is free", port);
  if (error == EACCES) fail("--port {}: {}; choose one of 1024 or above", port, error_text(error));
  fail("--host {}: not an address of this machine that can be used ({})", host,
       error == 0 ? "unknown" : error_text(error));
}

}  // namespace

class HttpServer::Threads : public httplib::ThreadPool {
 public:
  explicit Threads(HttpServer& server)
      : ThreadPool(static_cast<size_t>(server.connections_)), server_(server) {}

  void enqueue(std::function<void()> connection) override {
    server_.end_if_stopping();
    if (server_.waiting_ >= server_.connections_) return connection();  // refused
    ++server_.waiting_;
    ThreadPool::enqueue(std::move(connection));
  }
  void on_idle() override { server_.end_if_stopping(); }

 private:
  HttpServer& server_;
};

HttpServer::HttpServer(const ConnectionLimits& limits, int connections)
    : limits_(limits), connections_(connections) {
  new_task_queue = [this] { return new Threads(*this); };
  // With httplib's default two servers can share a port, and each would get some of the requests.
  set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  set_idle_interval(0, 50'000);  // how often it checks whether to stop
  set_keep_alive_max_count(kMostRequests);
  set_keep_alive_timeout(std::chrono::ceil<std::chrono::seconds>(limits.idle).count());
  set_payload_max_length(static_cast<size_t>(limits.most_body));
}

int HttpServer::bind(const std::string& host, int port) {
  errno = 0;
  const int bound = port == 0 ? bind_to_any_port(host) : bind_to_port(host, port) ? port : -1;
  if (bound < 0) fail_to_bind(host, port, errno);
  // Many clients may connect at once; httplib allows only five to wait for accept().
  ::listen(svr_sock_, 512);
  return bound;
}

bool HttpServer::serve() {
  accepting_ = std::this_thread::get_id();
  return listen_after_bind();
}

void HttpServer::end_if_stopping() {
  if (stopping_) httplib::Server::stop();
}

bool HttpServer::process_and_close_socket(socket_t socket) {
  if (std::this_thread::get_id() == accepting_) return turn_away(socket);
  --waiting_;
  Connection connection(socket, limits_, stopping_);
  served = &connection;
  bool kept = false;
  try {
    kept = serve_connection(connection);
  } catch (const std::exception& error) {
    spdlog::warn("a connection was given up: {}", error.what());
  }
  served = nullptr;
  return kept;
}

bool HttpServer::serve_connection(Connection& connection) {
  const auto head_was_read = [&connection](httplib::Request& request) {
    connection.head_was_read(request);
    request.ranges.clear();  // responses are always complete
    // and uncompressed: compressing takes longer than sending
    request.headers.erase("Accept-Encoding");
  };
  for (int count = 1;; ++count) {
    const auto give_up = [this, count] { return count > 1 && waiting_ > 0; };
    if (!connection.wait_for_request(give_up)) return true;
    connection.begin_request();
    if (const int status = connection.look_at_head(); status != 0) {
      refuse_head(connection, status);
      return false;
    }
    const bool is_last = count == kMostRequests || stopping_ || waiting_ > 0;
    bool closed = false;
    if (!process_request(connection, is_last, closed, head_was_read)) return false;
    if (is_last || closed || !connection.is_in_step()) return true;
  }
}

bool HttpServer::gave_up_reading() { return served != nullptr && served->gave_up(); }

void HttpServer::refuse_head(Connection& connection, int status) const {
  const std::string body = on_long_head ? on_long_head(status) : "";
  const std::string answer = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
      "{}\r\n\r\n{}",
      status == 414 ? "414 URI Too Long" : "431 Request Header Fields Too Large", body.size(),
      body);
  for (size_t sent = 0; sent < answer.size();) {
    const ssize_t count = connection.write(answer.data() + sent, answer.size() - sent);
    if (count < 0) return;
    sent += static_cast<size_t>(count);
  }
}

// Must not wait for anything: meanwhile no other connection is accepted.
bool HttpServer::turn_away(socket_t socket) const {
  static constexpr std::string_view kAnswer =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
      "Retry-After: 1\r\nConnection: close\r\nContent-Length: 57\r\n\r\n"
      "{\"error\":\"too many connections at once: try again later\"}";
  ::send(socket, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::shutdown(socket, SHUT_WR);
  char request[4096];  // unread data would make the client lose the response
  (void)::recv(socket, request, sizeof request, MSG_DONTWAIT);
  ::close(socket);
  if (on_turned_away) on_turned_away();
  return false;
}

}  // namespace heed::serve
