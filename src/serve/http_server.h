// httplib's server with this project's rules for connections: how many, how long, and how it stops.
#pragma once

#include <httplib.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "serve/connection.h"

namespace heed::serve {

// A connection has a thread for as long as it lasts. Of those that come while all threads are busy
// as many again wait; one more is turned away with 503, and connections that idle end.
class HttpServer : public httplib::Server {
 public:
  HttpServer(const ConnectionLimits& limits, int connections);

  // The port that was bound; 0 asks for any free one. Throws UserError naming --port or --host.
  int bind(const std::string& host, int port);
  // Until stop(): returns when all that was under way has been answered. False where no more
  // connections could be taken.
  bool serve();
  // From any thread: takes no more connections. What clients have sent by then is still answered,
  // but nothing that they have yet to send is waited for.
  void stop() { stopping_ = true; }

  std::function<void()> on_turned_away;  // called by the thread of serve()
  // What to answer to a head that is too long: its body, by the status. Called by any thread.
  std::function<std::string(int status)> on_long_head;

  // Whether the client of the request that this thread answers was too slow, or the server stopped.
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
