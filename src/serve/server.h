// The HTTP server: routes, responses and errors around a Service.
//
//   POST /translate  parse_request() -> answer()
//   GET  /health     the models and limits, as JSON
//   GET  /metrics    text format of Prometheus
//   GET  /           a page to type into, with /page.css and /page.js
//
// Every error is answered as {"error": "..."}: 400 for errors in the request, 404 and 405 for
// routes, 408 for a body that does not come in time, 411, 413 and 415 for bodies that are not
// accepted, 500 if the model fails, 503 (with Retry-After) for too much load, 504 for requests that
// take too long.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "serve/service.h"

namespace heed::serve {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int64_t port = 8080;        // 0: any free port
  int64_t connections = 128;  // at once, each with a thread; as many more may wait
  // for a client to send a request, and again to receive its response
  std::chrono::seconds client{30};
  int64_t most_body = 1'000'000;  // bytes
  bool verbose = false;           // log a line for each request
};

class Server {
 public:
  // Binds the port: clients can connect from now on. `service` must outlive the server. Throws
  // UserError naming --host or --port.
  Server(Service& service, const ServerOptions& options);
  ~Server();

  const std::string& address() const { return address_; }  // "http://127.0.0.1:8080"
  int port() const { return port_; }

  // Answers requests until stop(), finishes those in progress, and returns. Throws UserError if no
  // more connections can be accepted.
  void run();
  void stop();  // from any thread at any time

 private:
  class Routes;
  std::unique_ptr<Routes> routes_;
  int port_ = 0;
  std::string address_;
};

}  // namespace heed::serve
