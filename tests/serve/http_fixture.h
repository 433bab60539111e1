// A server on loopback with a small model of random parameters.
#pragma once

#include <gtest/gtest.h>
#include <httplib.h>

#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "decode/random_model.h"
#include "decode/saved_random_model.h"
#include "serve/server.h"
#include "text/word_vocabulary.h"

namespace heed::test {

class Http : public ::testing::Test {
 protected:
  Http() {
    service_options_.search.beam = 2;
    service_options_.search.constraints.max_length_ratio = 1;
    service_options_.search.constraints.max_length_extra = 3;
    options_.port = 0;
  }
  ~Http() override { stop(); }

  void start() {
    service_ = std::make_unique<serve::Service>(*model_, words_, words_, service_options_);
    server_ = std::make_unique<serve::Server>(*service_, options_);
    running_ = std::async(std::launch::async, [this] { server_->run(); });
  }
  void stop() {
    if (!running_.valid()) return;
    server_->stop();
    running_.get();
  }
  httplib::Client client() const {
    httplib::Client made("127.0.0.1", server_->port());
    made.set_read_timeout(60);
    return made;
  }
  httplib::Result post(const std::string& body, const char* type = "application/json") const {
    return client().Post("/translate", body, type);
  }
  // The status of the response, whose body must be JSON with a one-line error that contains `part`.
  static int error_of(const httplib::Result& result, const std::string& part) {
    if (!result) return -1;
    EXPECT_EQ(result->get_header_value("Content-Type"), "application/json");
    const std::string error = nlohmann::json::parse(result->body).at("error");
    EXPECT_NE(error.find(part), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
    return result->status;
  }
  static std::string status_line(const std::string& answer) {
    return answer.substr(0, answer.find('\r'));
  }
  std::string text_of(const std::string& line) const {
    const auto result = post(nlohmann::json{{"text", line}}.dump());
    return result ? nlohmann::json::parse(result->body).at("translations").at(0).at("text")
                  : "no answer";
  }

  WordVocabulary words_{letters(), false};
  std::unique_ptr<Model> model_ = random_model({});
  serve::ServiceOptions service_options_;
  serve::ServerOptions options_;
  std::unique_ptr<serve::Service> service_;
  std::unique_ptr<serve::Server> server_;
  std::future<void> running_;
};

}  // namespace heed::test
