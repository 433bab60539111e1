// httplib's server with our rules for connections: how many, how long, and how to stop.
#pragma once

#include <httplib.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "serve/connection.h"

namespace heed::serve {

// Each connection has a thread as long as it exists. While all threads are busy, as many further
// connections wait; beyond that a connection is refused with 503, and idle connections are closed.
class HttpServer : public httplib::Server {
 public:
  HttpServer(const ConnectionLimits& limits, int connections);

  // Returns the bound port; 0 asks for any free one. Throws UserError naming --port or --host.
  int bind(const std::string& host, int port);
  // Runs until stop() and returns when all requests in progress have been answered. Returns false
  // if no more connections can be accepted.
  bool serve();
  // Accepts no more connections; can be called from any thread. Requests already received are still
  // answered, but the server does not wait for more data from clients.
  void stop() { stopping_ = true; }

  std::function<void()> on_turned_away;  // called by the thread of serve()
  // Makes the body of the response to a head that is too long, given the status. Called
  // by any thread.
  std::function<std::string(int status)> on_long_head;

  // Whether the request that this thread is answering was cut short because its client was too slow
  // or the server stopped.
  static bool gave_up_reading();

 private:
  class Threads;

  bool process_and_close_socket(socket_t socket) override;
  bool serve_connection(Connection& connection);
  void refuse_head(Connection& connection, int status) const;
  bool turn_away(socket_t socket) const;
  void end_if_stopping();

  const ConnectionLimits limits_;
  const int connections_;
  std::thread::id accepting_;  // set before other threads start
  std::atomic<bool> stopping_{false};
  std::atomic<int> waiting_{0};  // connections
};

}  // namespace heed::serve
