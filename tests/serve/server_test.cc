// Tests the server on loopback with a small model of random parameters.
#include "serve/server.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "decode/saved_random_model.h"
#include "serve/http_fixture.h"
#include "serve/raw_client.h"
#include "serve/served_file.h"
#include "support/message_of.h"
#include "text/word_vocabulary.h"

namespace heed::serve {
namespace {

using Json = nlohmann::json;
using test::Http;
using test::post_of;
using test::RawClient;

TEST_F(Http, TranslatesATextAndAList) {
  start();
  const auto one = post(R"({"text": "a b"})");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->status, 200);
  EXPECT_EQ(one->get_header_value("Content-Type"), "application/json");
  const auto list = post(R"({"text": ["a b", "", "c"]})");
  const Json entries = Json::parse(list->body).at("translations");
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0], Json::parse(one->body).at("translations")[0]);
  EXPECT_EQ(entries[1].at("text"), "");
}

TEST_F(Http, TakesAnyContentTypeButForms) {
  start();
  EXPECT_EQ(post(R"({"text": "a"})", "application/x-www-form-urlencoded")->status, 200);
  EXPECT_EQ(post(R"({"text": "a"})", "text/plain")->status, 200);
  const httplib::MultipartFormDataItems form = {{"text", "a", "", ""}};
  EXPECT_EQ(error_of(client().Post("/translate", form), "send JSON"), 415);
}

TEST_F(Http, TellsErrorsAsJson) {
  start();
  EXPECT_EQ(error_of(post("{"), "no JSON"), 400);
  EXPECT_EQ(error_of(post(R"({"text": 1})"), "text must be"), 400);
  EXPECT_EQ(error_of(post(R"({"text": "a", "beem": 1})"), "did you mean 'beam'"), 400);
  EXPECT_EQ(error_of(post(""), "no JSON"), 400);
  EXPECT_EQ(error_of(client().Get("/nowhere"), "no such route"), 404);
  EXPECT_EQ(error_of(client().Post("/nowhere", "{}", "application/json"), "no such route"), 404);
  EXPECT_EQ(error_of(client().Get("/translate/"), "no such route"), 404);
  const auto wrong = client().Get("/translate");
  EXPECT_EQ(error_of(wrong, "/translate takes POST, not GET"), 405);
  EXPECT_EQ(wrong->get_header_value("Allow"), "POST");
  EXPECT_EQ(error_of(client().Post("/health", "{}", "application/json"), "takes GET"), 405);
  EXPECT_EQ(error_of(client().Delete("/metrics"), "takes GET"), 405);
}

TEST_F(Http, AnswersHeadLikeGetWithoutABody) {
  start();
  const auto head = client().Head("/health");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->body, "");
}

TEST_F(Http, RefusesBodiesThatAreTooLarge) {
  options_.most_body = 1000;
  start();
  const std::string fits = R"({"text": ")" + std::string(900, ' ') + R"("})";
  const std::string large = R"({"text": ")" + std::string(100'000, ' ') + R"("})";
  EXPECT_EQ(post(fits)->status, 200);
  EXPECT_EQ(error_of(post(large), "larger than 1000 bytes"), 413);
  const auto chunked = client().Post(
      "/translate",
      [&large](size_t offset, httplib::DataSink& sink) {
        if (offset >= large.size()) return sink.done(), true;
        return sink.write(large.data() + offset, std::min<size_t>(5000, large.size() - offset));
      },
      "application/json");
  EXPECT_EQ(error_of(chunked, "larger than 1000 bytes"), 413);
  EXPECT_EQ(post(fits)->status, 200);
}

TEST_F(Http, TakesABodyInChunks) {
  start();
  const std::string body = R"({"text": "a b"})";
  const auto chunked = client().Post(
      "/translate",
      [&body](size_t offset, httplib::DataSink& sink) {
        if (offset >= body.size()) return sink.done(), true;
        return sink.write(body.data() + offset, 1);
      },
      "application/json");
  ASSERT_TRUE(chunked);
  EXPECT_EQ(chunked->status, 200);
  EXPECT_EQ(chunked->body, post(body)->body);
}

TEST_F(Http, KeepsAConnectionForFurtherRequests) {
  start();
  const RawClient raw(server_->port());
  for (int i = 0; i < 3; ++i) {
    raw.send(post_of(R"({"text": "a"})"));
    EXPECT_EQ(status_line(raw.receive_until("]}\n")), "HTTP/1.1 200 OK");
  }
  // Two requests at once, then a last one.
  raw.send(post_of(R"({"text": "a"})") + post_of(R"({"text": "b"})", "Connection: close\r\n"));
  const std::string both = raw.receive_all();
  EXPECT_NE(both.find("HTTP/1.1 200 OK", 1), std::string::npos) << both;
}

TEST_F(Http, TakesNothingOfARefusedBodyForARequest) {
  start();
  const RawClient raw(server_->port());
  const std::string inner = "GET /health HTTP/1.1\r\n\r\n";
  raw.send("POST /nowhere HTTP/1.1\r\nContent-Length: " + std::to_string(inner.size()) +
           "\r\n\r\n" + inner);
  const std::string answer = raw.receive_all();
  EXPECT_EQ(status_line(answer), "HTTP/1.1 404 Not Found");
  EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos);
  EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << answer;
}

TEST_F(Http, OutlivesRequestsThatAreNone) {
  options_.client = std::chrono::seconds(1);
  start();
  const std::string ranges = "Range: bytes=0-0" + [] {
    std::string more;
    for (int i = 0; i < 1500; ++i) more += ",0-0";
    return more;
  }() + "\r\n";
  for (const std::string& bytes : std::vector<std::string>{
           "nonsense\r\n\r\n", "GET /health\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n",
           std::string(100'000, 'a'), "GET /" + std::string(10'000, 'a') + " HTTP/1.1\r\n\r\n",
           "GET /health HTTP/1.1\r\n" + std::string(200'000, 'a'),
           "GET /health HTTP/1.1\r\nRange: bytes=99999999999999999999-\r\n\r\n",
           "GET /health HTTP/1.1\r\nRange: bytes=5-1\r\n\r\n",
           "GET /health HTTP/1.1\r\n" + ranges + "\r\n",
           "POST /translate HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
           "POST /translate HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
           "POST /translate HTTP/1.1\r\nContent-Length: x\r\n\r\n",
           "POST /translate HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
           "POST /translate HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
           "POST /translate HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
           "POST /translate HTTP/1.1\r\n\r\n", std::string("\0\0\0\0\r\n\r\n", 8)}) {
    const RawClient raw(server_->port());
    raw.send(bytes);
    raw.receive_all();
    ASSERT_EQ(text_of(""), "") << bytes.substr(0, 100);
  }
}

TEST_F(Http, AnswersOthersWhileAClientIsSlow) {
  options_.client = std::chrono::seconds(2);
  options_.connections = 2;
  start();
  const RawClient slow(server_->port());
  slow.send("POST /translate HTTP/1.1\r\nContent-Length: 100\r\n\r\n{\"text\"");
  EXPECT_EQ(post(R"({"text": "a"})")->status, 200);
  EXPECT_EQ(status_line(slow.receive_all()), "HTTP/1.1 408 Request Timeout");
}

TEST_F(Http, EndsConnectionsWhoseHeadNeverComes) {
  options_.client = std::chrono::seconds(1);
  start();
  const RawClient raw(server_->port());
  raw.send("GET /health HTT");
  EXPECT_EQ(raw.receive_all(), "");
}

TEST_F(Http, ForgetsClientsThatAreGone) {
  options_.connections = 2;
  start();
  for (int i = 0; i < 20; ++i) {
    RawClient(server_->port()).send(post_of(R"({"text": "a b c d"})"));
    RawClient(server_->port()).send(post_of(R"({"text": "a b c d"})").substr(0, 70));
    RawClient{server_->port()};
  }
  while (true) {  // the server may still be checking as many as it has connections
    const auto result = post(R"({"text": "a"})");
    if (result && result->status == 200) break;
  }
}

TEST_F(Http, TurnsAwayWhatIsTooMuchAtOnce) {
  options_.connections = 1;
  start();
  const RawClient first(server_->port());
  first.send(post_of(R"({"text": "a"})"));
  first.receive_until("]}\n");
  first.send("GET");  // occupies the thread
  const RawClient waits(server_->port()), too_many(server_->port());
  const std::string answer = too_many.receive_all();
  EXPECT_EQ(status_line(answer), "HTTP/1.1 503 Service Unavailable");
  EXPECT_NE(answer.find("Retry-After: 1\r\n"), std::string::npos);
  const std::string body = answer.substr(answer.find("\r\n\r\n") + 4);
  EXPECT_NE(Json::parse(body).at("error").get<std::string>().find("too many connections"),
            std::string::npos);
}

TEST_F(Http, RefusesWithRetryAfterWhenTheQueueIsFull) {
  service_options_.most_waiting = 1;
  start();
  const auto refused = post(R"({"text": ["a", "b"]})");
  EXPECT_EQ(error_of(refused, "try again later"), 503);
  EXPECT_EQ(refused->get_header_value("Retry-After"), "1");
}

TEST_F(Http, GivesUpRequestsThatTakeTooLong) {
  service_options_.request = std::chrono::seconds(0);
  start();
  EXPECT_EQ(error_of(post(R"({"text": "a"})"), "took too long"), 504);
}

TEST_F(Http, ServesManyClientsAtOnce) {
  start();
  const std::vector<std::string> lines = {"a b c", "d", "e f g h", "zebra"};
  std::vector<std::string> alone;
  for (const std::string& line : lines) alone.push_back(text_of(line));
  const auto ask = [&](size_t seed) {
    bool same = true;
    for (size_t i = 0; i < 10; ++i) {
      const size_t which = (seed + i) % lines.size();
      same = same && text_of(lines[which]) == alone[which];
    }
    return same;
  };
  std::vector<std::future<bool>> clients;
  for (size_t seed = 0; seed < 16; ++seed)
    clients.push_back(std::async(std::launch::async, ask, seed));
  for (auto& same : clients) EXPECT_TRUE(same.get());
  const auto metrics = client().Get("/metrics");
  EXPECT_EQ(metrics->get_header_value("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(metrics->body.find("heed_requests_total{route=\"/translate\",status=\"200\"} 164\n"),
            std::string::npos);
}

TEST_F(Http, AnswersWhatIsUnderWayBeforeItStops) {
  start();
  std::atomic<bool> stopped = false;
  std::atomic<int> answered = 0;
  const auto ask = [&] {
    while (!stopped) {
      const auto result = post(R"({"text": "a b c d e f"})");
      if (!result) return true;  // no more connections are available
      if (result->status != 200 || Json::parse(result->body).at("translations").size() != 1)
        return false;
      ++answered;
    }
    return true;
  };
  std::vector<std::future<bool>> clients;
  for (int i = 0; i < 8; ++i) clients.push_back(std::async(std::launch::async, ask));
  while (answered < 20) std::this_thread::yield();
  stop();
  stopped = true;
  for (auto& right : clients) EXPECT_TRUE(right.get());
  EXPECT_FALSE(client().Get("/health"));
}

TEST_F(Http, StopsWithIdleAndSlowConnectionsOpen) {
  start();
  const RawClient idle(server_->port()), slow(server_->port()), kept(server_->port());
  slow.send("POST /translate HTTP/1.1\r\nContent-Length: 100\r\n\r\n{");
  kept.send(post_of(R"({"text": "a"})"));
  kept.receive_until("]}\n");
  stop();
}

TEST_F(Http, CanBeStoppedBeforeItRuns) {
  service_ = std::make_unique<Service>(*model_, words_, words_, service_options_);
  Server server(*service_, options_);
  server.stop();
  server.run();
}

TEST_F(Http, NamesThePortThatIsTaken) {
  start();
  ServerOptions same = options_;
  same.port = server_->port();
  EXPECT_EQ(test::message_of<UserError>([&] { const Server second(*service_, same); }),
            "--port " + std::to_string(same.port) +
                ": it is in use; choose another, or 0 for any that is free");
  same.host = "nosuch.invalid";  // RFC 2606
  EXPECT_NE(test::message_of<UserError>([&] {
              const Server second(*service_, same);
            }).find("--host nosuch.invalid: the name can't be resolved"),
            std::string::npos);
  same.host = "192.0.2.1";  // reserved for documentation (RFC 5737), so nobody's address
  EXPECT_NE(test::message_of<UserError>([&] {
              const Server second(*service_, same);
            }).find("--host 192.0.2.1: "),
            std::string::npos);
}

TEST_F(Http, GivesThePageWithStrictHeaders) {
  start();
  const auto page = client().Get("/");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(page->body, served_file("index.html"));
  const std::string policy = page->get_header_value("Content-Security-Policy");
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(client().Get("/page.js")->body, served_file("page.js"));
  EXPECT_EQ(client().Get("/page.css")->get_header_value("Content-Type"), "text/css; charset=utf-8");
}

// No markup is made from text, and nothing is loaded from elsewhere.
TEST(PageFiles, AreSafeAndSelfContained) {
  const std::string html(served_file("index.html")), script(served_file("page.js")),
      style(served_file("page.css"));
  ASSERT_FALSE(html.empty() || script.empty() || style.empty());
  for (const char* word :
       {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("})
    EXPECT_EQ(script.find(word), std::string::npos) << word;
  for (const std::string& file : {html, script, style})
    for (const char* word : {"http://", "https://", "//cdn", "style=\"", "onclick"})
      EXPECT_EQ(file.find(word), std::string::npos) << word;
  EXPECT_TRUE(served_file("nothing").empty());
}

}  // namespace
}  // namespace heed::serve
