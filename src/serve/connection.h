// A client's connection, from which httplib reads requests and to which it writes responses, with
// limits for slow, silent and endless clients.
#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace heed::serve {

struct ConnectionLimits {
  std::chrono::milliseconds client{30'000};  // to send a request, and again to receive its response
  std::chrono::milliseconds idle{5'000};     // between two requests
  int64_t most_body = 1'000'000;             // bytes
};

// Used by one thread. For each request call wait_for_request(), begin_request(), look_at_head() and
// httplib's process_request(), which calls head_was_read(); go on only while is_in_step().
class Connection : public httplib::Stream {
 public:
  // Takes ownership of the socket. While `stopping` is true it never waits for data that the client
  // has yet to send.
  Connection(int socket, const ConnectionLimits& limits, const std::atomic<bool>& stopping);
  // Closes the connection such that a client that is still sending gets the response nevertheless.
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Returns false if no request came in time, the client is gone, or `give_up` returns true.
  bool wait_for_request(const std::function<bool()>& give_up);
  void begin_request();
  void head_was_read(const httplib::Request& request);
  // Waits for the head of a request without consuming it. Returns 414 or 431 if it is longer than
  // httplib accepts, else 0.
  int look_at_head();
  // Whether the client did not send in time, or the server stopped first.
  bool gave_up() const { return gave_up_; }
  // Whether the next bytes begin a new request: the last one was understood and completely read.
  bool is_in_step() const;

  bool is_readable() const override;
  bool is_writable() const override;
  // As httplib requires: the number of bytes read, 0 at the end, -1 if the client is too slow or
  // sends more than it may.
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool wait(short events, Clock::time_point until) const;
  void let_go();
  bool receive();

  const int socket_;
  const ConnectionLimits limits_;
  const std::atomic<bool>& stopping_;
  std::string buffer_;  // bytes received, consumed up to next_; empty once all are
  size_t next_ = 0;
  int64_t may_read_ = 0;  // bytes
  bool head_read_ = false, chunked_ = false;
  bool gave_up_ = false;
  bool answering_ = false;  // there was a write since the last read
  Clock::time_point read_until_, write_until_;
};

}  // namespace heed::serve
