// The HTTP server: routes, answers and errors of a Service.
//
//   POST /translate  parse_request() -> answer()
//   GET  /health     what is served, as JSON
//   GET  /metrics    text format of Prometheus
//   GET  /           a page to type into, with /page.css and /page.js
//
// Every error is answered as {"error": "..."}: 400 for what a request says, 404 and 405 for routes,
// 408 for a body that does not come in time, 411, 413 and 415 for bodies that can't be taken, 500
// where the model fails, 503 (with Retry-After) for too much at once, 504 for what takes too long.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "serve/service.h"

namespace heed::serve {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int64_t port = 8080;              // 0: any that is free
  int64_t connections = 128;        // at once, each with a thread; as many again may wait
  std::chrono::seconds client{30};  // for a client to send a request, and again to take its answer
  int64_t most_body = 1'000'000;    // bytes
  bool verbose = false;             // a line of log for each request
};

class Server {
 public:
  // Takes the port: clients can connect from now on. `service` must outlive it. Throws UserError
  // naming --host or --port.
  Server(Service& service, const ServerOptions& options);
  ~Server();

  const std::string& address() const { return address_; }  // "http://127.0.0.1:8080"
  int port() const { return port_; }

  // Answers requests until stop(), then those under way, and returns. Throws UserError where it can
  // take no more connections.
  void run();
  void stop();  // from any thread, at any time

 private:
  class Routes;
  std::unique_ptr<Routes> routes_;
  int port_ = 0;
  std::string address_;
};

}  // namespace heed::serve
