// One client's connection, as httplib reads requests from it and writes answers to it, with limits
// that a slow, silent or endless client runs into.
#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace heed::serve {

struct ConnectionLimits {
  std::chrono::milliseconds client{30'000};  // to send a request, and again to take its answer
  std::chrono::milliseconds idle{5'000};     // between two requests
  int64_t most_body = 1'000'000;             // bytes
};

// Used by one thread. For each request: wait_for_request(), begin_request(), look_at_head(),
// httplib's process_request() with head_was_read() in between, and on only while is_in_step().
class Connection : public httplib::Stream {
 public:
  // Takes the socket over. While `stopping`, it waits for nothing that the client has yet to send.
  Connection(int socket, const ConnectionLimits& limits, const std::atomic<bool>& stopping);
  // Closes it so that a client that is still sending gets the answer all the same.
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // False where none came in time, the client is gone, or `give_up` says so.
  bool wait_for_request(const std::function<bool()>& give_up);
  void begin_request();
  void head_was_read(const httplib::Request& request);
  // Waits for the head of a request, which stays to be read: 414 or 431 where it is longer than
  // httplib bears, or 0.
  int look_at_head();
  // Whether a client did not send in time what was to be read, or the server stopped before it did.
  bool gave_up() const { return gave_up_; }
  // Whether what the client sends next is a new request: the last one was understood and read to
  // its end.
  bool is_in_step() const;

  bool is_readable() const override;
  bool is_writable() const override;
  // As httplib wants it: bytes read, 0 at the end, -1 where the client is too slow or sends more
  // than it may.
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
  std::string buffer_;  // what has come, read up to next_; empty when all of it was
  size_t next_ = 0;
  int64_t may_read_ = 0;  // bytes
  bool head_read_ = false, chunked_ = false;
  bool gave_up_ = false;
  bool answering_ = false;  // written to since it was last read from
  Clock::time_point read_until_, write_until_;
};

}  // namespace heed::serve
