#include "serve/server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <new>

#include "base/error.h"
#include "base/log.h"
#include "base/numbers.h"
#include "decode/json.h"
#include "serve/framing.h"
#include "serve/http_error.h"
#include "serve/http_server.h"
#include "serve/served_file.h"

namespace heed::serve {
namespace {

using httplib::Request;
using httplib::Response;
using Clock = std::chrono::steady_clock;

constexpr const char* kJson = "application/json";
constexpr std::chrono::seconds kIdle{5};  // between two requests on a connection
constexpr const char* kOther = "other";   // the label of unknown routes in the metrics

// A GET route. POST /translate has no entry, because it reads a body.
struct Route {
  const char* path;
  const char* type;
  std::string (*get)(const Service& service);
};

std::string page(std::string_view name) { return std::string(served_file(name)); }

constexpr std::array kRoutes = {
    Route{"/translate", kJson, nullptr},
    Route{"/health", kJson, [](const Service& service) { return service.health() + "\n"; }},
    Route{"/metrics", "text/plain; version=0.0.4; charset=utf-8",
          [](const Service& service) { return service.metrics(); }},
    Route{"/", "text/html; charset=utf-8", [](const Service&) { return page("index.html"); }},
    Route{"/page.css", "text/css; charset=utf-8", [](const Service&) { return page("page.css"); }},
    Route{"/page.js", "text/javascript; charset=utf-8",
          [](const Service&) { return page("page.js"); }},
};

// The page loads everything from this server and runs only the scripts in its own files.
const httplib::Headers& headers() {
  static const httplib::Headers all = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src "
       "data:; "
       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"}};
  return all;
}

void set_error(Response& response, int status, const std::string& message) {
  response.status = status;
  response.set_content(json_line({{"error", message}}) + "\n", kJson);
  if (status == 503) response.set_header("Retry-After", "1");
}

// The message for a request that httplib refused before it reached a route.
const char* own_message(int status) {
  switch (status) {
    case 400:
      return "the request cannot be parsed as HTTP";
    case 414:
      return "the address is too long: at most 8000 bytes are accepted";
    case 431:
      return "the headers are too long: at most 8000 bytes each and 64,000 in all are accepted";
    case 416:
      return "the header Range is invalid: leave it out, responses are always complete";
    default:
      return "the request can't be answered";
  }
}

bool is_clear(const Request& request) {
  try {
    framing_of(request);
    return true;
  } catch (const HttpError&) {
    return false;
  }
}

}  // namespace

class Server::Routes {
 public:
  Routes(Service& service, const ServerOptions& options);

  HttpServer& http() { return http_; }

 private:
  using Handled = httplib::Server::HandlerResponse;

  Handled route(const Request& request, Response& response);
  int check_announced(const Request& request, Response& response);
  void translate(const Request& request, Response& response, const httplib::ContentReader& reader);
  [[noreturn]] void refuse_size() const;
  std::string read_body(const Request& request, const httplib::ContentReader& reader) const;
  template <typename F>
  void answer(const Request& request, Response& response, const char* route, const F& f);
  void note(const Request& request, int status, const char* route, double seconds,
            const std::string& error);
  bool may_warn();

  Service& service_;
  const ServerOptions options_;
  std::atomic<Clock::rep> last_warning_{0};
  HttpServer http_;
};

Server::Routes::Routes(Service& service, const ServerOptions& options)
    : service_(service),
      options_(options),
      http_({options.client, std::min(options.client, kIdle), options.most_body},
            options.connections) {
  http_.set_default_headers(headers());
  http_.set_pre_routing_handler(
      [this](const Request& request, Response& response) { return route(request, response); });
  http_.Post("/translate", [this](const Request& request, Response& response,
                                  const httplib::ContentReader& reader) {
    translate(request, response, reader);
  });
  http_.set_expect_100_continue_handler([this](const Request& request, Response& response) {
    return check_announced(request, response);
  });
  http_.set_error_handler([this](const Request&, Response& response) {
    if (!response.body.empty()) return;
    set_error(response, response.status, own_message(response.status));
    service_.count_request(kOther, response.status, 0);
  });
  // The body may be unread, in which case the next bytes of the connection are not a request.
  http_.set_post_routing_handler([](const Request&, Response& response) {
    if (response.status < 400) return;
    response.headers.erase("Keep-Alive");
    response.headers.erase("Connection");
    response.set_header("Connection", "close");
  });
  http_.on_long_head = [this](int status) {
    service_.count_request(kOther, status, 0);
    return json_line({{"error", own_message(status)}}) + "\n";
  };
  http_.on_turned_away = [this] {
    service_.count_request(kOther, 503, 0);
    if (may_warn())
      spdlog::warn("more than {} connections: some are turned away", options_.connections);
  };
}

// Answers all requests except POST /translate, whose body has not been read yet.
Server::Routes::Handled Server::Routes::route(const Request& request, Response& response) {
  if (!is_clear(request)) {
    answer(request, response, kOther, [&request]() -> std::string {
      framing_of(request);
      return "";
    });
    return Handled::Handled;
  }
  const auto is_it = [&request](const Route& route) { return request.path == route.path; };
  const auto found = std::find_if(kRoutes.begin(), kRoutes.end(), is_it);
  if (found == kRoutes.end()) {
    answer(request, response, kOther, []() -> std::string {
      refuse(
          404,
          "there is no such route: there are POST /translate, GET /health, GET /metrics and GET /");
    });
    return Handled::Handled;
  }
  const bool posts = found->get == nullptr;
  const bool fits =
      posts ? request.method == "POST" : request.method == "GET" || request.method == "HEAD";
  if (posts && fits) return Handled::Unhandled;
  answer(request, response, found->path, [&] {
    if (!fits) {
      response.set_header("Allow", posts ? "POST" : "GET, HEAD");
      refuse(405, "{} takes {}, not {}", found->path, posts ? "POST" : "GET", request.method);
    }
    response.set_header("Content-Type", found->type);
    return found->get(service_);
  });
  return Handled::Handled;
}

// Decides how to respond to a client that asks whether to send its body (Expect: 100-continue).
int Server::Routes::check_announced(const Request& request, Response& response) {
  if (is_clear(request) && framing_of(request).length <= options_.most_body) return 100;
  answer(request, response, kOther, [&]() -> std::string {
    framing_of(request);
    refuse_size();
  });
  return response.status;
}

void Server::Routes::translate(const Request& request, Response& response,
                               const httplib::ContentReader& reader) {
  answer(request, response, "/translate", [&] {
    std::string text = service_.translate(read_body(request, reader));
    response.set_header("Content-Type", kJson);
    return text + "\n";
  });
}

void Server::Routes::refuse_size() const {
  refuse(413, "the body is larger than {} bytes: send several requests", options_.most_body);
}

std::string Server::Routes::read_body(const Request& request,
                                      const httplib::ContentReader& reader) const {
  if (request.is_multipart_form_data())
    refuse(415, "send JSON, with Content-Type: application/json");
  const Framing framing = framing_of(request);
  if (!framing.chunked && !framing.has_length)
    refuse(411, "the request has no body: send a JSON object and its Content-Length");
  if (framing.length > options_.most_body) refuse_size();
  std::string body;
  bool too_large = false;
  const bool whole = reader([&](const char* data, size_t size) {
    too_large = static_cast<int64_t>(body.size() + size) > options_.most_body;
    if (!too_large) body.append(data, size);
    return !too_large;
  });
  if (too_large) refuse_size();
  if (!whole && HttpServer::gave_up_reading())
    refuse(408, "the body did not come within {} seconds: send it again", options_.client.count());
  if (!whole && framing.chunked)
    refuse(400, "the body was cut, or the size of a chunk is not a hexadecimal number");
  if (!whole) refuse(400, "the body was cut: send it again");
  return body;
}

// Sends the result of f() as the body; an exception becomes an error response.
template <typename F>
void Server::Routes::answer(const Request& request, Response& response, const char* route,
                            const F& f) {
  const auto begin = Clock::now();
  std::string error;
  const auto fail_with = [&](int status, const std::string& message) {
    error = message;
    set_error(response, status, message);
  };
  try {
    response.body = f();
    response.status = 200;
  } catch (const HttpError& refused) {
    fail_with(refused.status(), refused.what());
  } catch (const UserError& failed) {
    fail_with(500, failed.what());
  } catch (const std::bad_alloc&) {
    fail_with(503, "out of memory: send shorter texts, or try again later");
  } catch (const std::exception& failed) {
    fail_with(500, fmt::format("internal error: {}", failed.what()));
  }
  const std::chrono::duration<double> seconds = Clock::now() - begin;
  note(request, response.status, route, seconds.count(), error);
}

void Server::Routes::note(const Request& request, int status, const char* route, double seconds,
                          const std::string& error) {
  service_.count_request(route, status, seconds);
  std::string line = fmt::format("{} {} {} {:.0f} ms{}{}", request.method, route, status,
                                 1000 * seconds, error.empty() ? "" : ": ", error);
  // The error may quote text from the client, so control characters are replaced to keep it
  // on one line.
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  std::replace_if(line.begin(), line.end(), is_control, ' ');
  if (status >= 500 && may_warn())
    spdlog::warn("{}", line);
  else if (options_.verbose)
    spdlog::info("{}", line);
}

// At most once per second; frequent problems are visible in the metrics.
bool Server::Routes::may_warn() {
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep last = last_warning_;
  if (last != 0 && Clock::duration(now - last) < std::chrono::seconds(1)) return false;
  return last_warning_.compare_exchange_strong(last, now);
}

Server::Server(Service& service, const ServerOptions& options)
    : routes_(std::make_unique<Routes>(service, options)) {
  port_ = routes_->http().bind(options.host, static_cast<int>(options.port));
  const bool is_ipv6 = options.host.find(':') != std::string::npos;
  address_ = fmt::format("http://{}:{}", is_ipv6 ? "[" + options.host + "]" : options.host, port_);
}

Server::~Server() = default;

void Server::run() {
  if (!routes_->http().serve()) fail("{}: no more connections can be taken", address_);
}

void Server::stop() { routes_->http().stop(); }

}  // namespace heed::serve
