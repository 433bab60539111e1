// Where the server sees the end of requests, tested over loopback.
#include "serve/framing.h"

#include <gtest/gtest.h>

#include "serve/http_fixture.h"
#include "serve/raw_client.h"

namespace heed::serve {
namespace {

using test::Http;
using test::RawClient;

// RFC 9112, section 6.3: a proxy could see the body's end elsewhere.
TEST_F(Http, RefusesWhatDoesNotSayWhereItEnds) {
  start();
  const std::string once = "Content-Length: 12\r\n", chunked = "Transfer-Encoding: chunked\r\n",
                    body = "\r\n{\"text\":\"\"}";
  struct Case {
    std::string headers, body, status, message;
  };
  for (const Case& each : std::vector<Case>{
           {once + once, body, "400", "Content-Length is given 2 times"},
           {once + "content-length: 5\r\n", body, "400", "Content-Length is given 2 times"},
           {chunked + once, "\r\n0\r\n\r\n", "400", "contradict each other"},
           {chunked + chunked, "\r\n0\r\n\r\n", "400", "Transfer-Encoding is given 2 times"},
           {"Transfer-Encoding: gzip\r\n", body, "501", "must be chunked, not 'gzip'"},
           {"Content-Length : 12\r\n", body, "400", "space before its colon"},
           {"Content-Length: -5\r\n", body, "400", "not '-5'"},
           {"Content-Length: 12, 12\r\n", body, "400", "not '12, 12'"},
           {"Content-Length: 99999999999999999999\r\n", body, "413", "larger than any body"},
           {chunked, "\r\nzz\r\n", "400", "size of a chunk"}}) {
    const RawClient raw(server_->port());
    raw.send("POST /translate HTTP/1.1\r\nHost: x\r\n" + each.headers + each.body);
    const std::string answer = raw.receive_all();  // until the connection is closed
    EXPECT_EQ(answer.substr(0, 12), "HTTP/1.1 " + each.status) << each.headers;
    EXPECT_NE(answer.find(each.message), std::string::npos) << answer;
    EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << answer;
    EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << answer;
  }
}

TEST_F(Http, SaysWhatOfAHeadIsTooLong) {
  start();
  const auto answer_to = [this](const std::string& bytes) {
    const RawClient raw(server_->port());
    raw.send(bytes);
    return raw.receive_all();
  };
  for (const size_t size : {10'000, 100'000}) {
    const std::string uri =
        answer_to("GET /" + std::string(size, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(status_line(uri), "HTTP/1.1 414 URI Too Long");
    EXPECT_NE(uri.find("{\"error\":"), std::string::npos) << uri;
    const std::string header =
        answer_to("GET /health HTTP/1.1\r\nX: " + std::string(size, 'a') + "\r\n\r\n");
    EXPECT_EQ(status_line(header), "HTTP/1.1 431 Request Header Fields Too Large");
  }
  std::string many = "GET /health HTTP/1.1\r\n";
  for (int i = 0; i < 10'000; ++i) many += "X: 12345\r\n";
  EXPECT_EQ(status_line(answer_to(many + "\r\n")), "HTTP/1.1 431 Request Header Fields Too Large");
}

}  // namespace
}  // namespace heed::serve
