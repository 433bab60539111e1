// heed serve as a program, with a small model of random parameters: what it answers is what
// heed translate prints.
#include <gtest/gtest.h>
#include <httplib.h>

#include <future>
#include <nlohmann/json.hpp>

#include "decode/saved_random_model.h"
#include "support/run_heed.h"
#include "support/running_heed.h"
#include "support/split.h"

namespace heed {
namespace {

using Json = nlohmann::json;
using test::run_heed;
using test::RunningHeed;
using test::split;
using Lines = std::vector<std::string>;

class Serve : public ::testing::Test {
 protected:
  Serve() : model_(dir_.file("model.heed")) { test::save_random_model(model_); }

  void start(Lines options = {}) {
    options.insert(options.begin(), {"serve", "--model", model_, "--port", "0"});
    server_ = std::make_unique<RunningHeed>(options);
    const std::string line = server_->line(), before = "listening on http://127.0.0.1:";
    ASSERT_EQ(line.substr(0, before.size()), before) << server_->err();
    port_ = std::stoi(line.substr(before.size()));
  }
  httplib::Result post(const Json& request) const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(60);
    return client.Post("/translate", request.dump(), "application/json");
  }
  Json translations(const Json& request) const {
    const auto result = post(request);
    if (!result || result->status != 200) return Json::array();
    return Json::parse(result->body).at("translations");
  }
  // What heed translate prints for the text.
  std::string translated(const std::string& text, const std::string& options) const {
    return run_heed("translate --model " + model_ + " " + options + " <" + dir_.write("in", text))
        .out;
  }

  test::TempDir dir_;
  std::string model_;
  std::unique_ptr<RunningHeed> server_;
  int port_ = 0;
};

const char* const kText = "a b c\n\nd\n \nzebra a\ne f g h i a b\n";

TEST_F(Serve, AnswersWhatTranslatePrints) {
  start({"--beam", "4"});
  const Json answer =
      translations({{"text", Lines{"a b c", "", "d", " ", "zebra a", "e f g h i a b"}}});
  const Lines printed = split(translated(kText, "--beam 4"));
  ASSERT_EQ(answer.size(), printed.size());
  for (size_t i = 0; i < printed.size(); ++i) EXPECT_EQ(answer[i].at("text"), printed[i]);
  std::string whole = translated(kText, "--beam 4");
  whole.pop_back();
  EXPECT_EQ(translations({{"text", kText}})[0].at("text"), whole);
}

TEST_F(Serve, AnswersTheJsonOfTranslate) {
  start();
  for (const bool words : {false, true}) {
    const Json answer = translations({{"text", Lines{"a b c", "", "zebra a"}},
                                      {"format", "json"},
                                      {"words", words},
                                      {"beam", 3},
                                      {"nbest", 2}});
    const Lines printed =
        split(translated("a b c\n\nzebra a\n", std::string("--format json --beam 3 --nbest 2") +
                                                   (words ? " --words" : "")));
    ASSERT_EQ(answer.size(), printed.size());
    for (size_t i = 0; i < printed.size(); ++i) {
      const Json line = Json::parse(printed[i]);
      EXPECT_EQ(answer[i].at("nbest"), line.at("translations"));
      EXPECT_EQ(answer[i].at("source"), line.at("source"));
      for (const auto& item : line.at("translations")[0].items())
        EXPECT_EQ(answer[i].at(item.key()), item.value()) << item.key();
    }
  }
}

TEST_F(Serve, TreatsInvalidUtf8AsTranslateDoes) {
  start();
  const std::string line = "a \xff\xc3 b\xe2\x82";
  httplib::Client client("127.0.0.1", port_);
  const auto result = client.Post("/translate", "{\"text\": \"" + line + "\"}", "application/json");
  ASSERT_TRUE(result);
  EXPECT_EQ(Json::parse(result->body).at("translations")[0].at("text").get<std::string>() + "\n",
            translated(line + "\n", ""));
}

TEST_F(Serve, TakesTheSearchOptionsOfTranslateAsDefaults) {
  start({"--beam", "3", "--length-penalty", "0", "--max-length", "2"});
  const std::string options = "--beam 3 --length-penalty 0 --max-length 2";
  EXPECT_EQ(translations({{"text", "a b c d e"}})[0].at("text").get<std::string>() + "\n",
            translated("a b c d e\n", options));
}

TEST_F(Serve, TranslatesWithAnEnsemble) {
  const std::string other = dir_.file("other.heed");
  test::save_random_model(other, {}, 77);
  Lines options = {"serve", "--model", model_, other, "--port", "0"};
  server_ = std::make_unique<RunningHeed>(options);
  const std::string line = server_->line();
  port_ = std::stoi(line.substr(line.rfind(':') + 1));
  EXPECT_EQ(
      translations({{"text", "a b c d e"}})[0].at("text").get<std::string>() + "\n",
      run_heed("translate --model " + model_ + " " + other + " <" + dir_.write("in", "a b c d e\n"))
          .out);
}

TEST_F(Serve, TellsOfItsModelAndItself) {
  start({"--verbose"});
  httplib::Client client("127.0.0.1", port_);
  const Json health = Json::parse(client.Get("/health")->body);
  EXPECT_EQ(health.at("status"), "ok");
  EXPECT_EQ(health.at("models")[0].at("file"), "model.heed");
  EXPECT_EQ(health.at("models")[0].at("attention"), "additive");
  EXPECT_EQ(health.at("source_vocabulary").at("size"), 12);
  EXPECT_EQ(server_->end(SIGTERM), 0);
  EXPECT_NE(server_->err().find("GET /health 200"), std::string::npos) << server_->err();
}

TEST_F(Serve, EndsWellOnEachSignal) {
  for (const int number : {SIGINT, SIGTERM}) {
    start();
    EXPECT_EQ(translations({{"text", "a"}}).size(), 1U);
    EXPECT_EQ(server_->end(number), 0) << server_->err();
    EXPECT_EQ(server_->err().find("error"), std::string::npos) << server_->err();
  }
}

TEST_F(Serve, FinishesWhatIsUnderWayWhenItIsStopped) {
  start();
  std::atomic<int> answered = 0, wrong = 0;
  const auto ask = [&] {
    while (true) {
      const auto result = post({{"text", Lines(50, "a b c d e f g h i")}});
      if (!result) return;  // no connection any more
      ++answered;
      if (result->status != 200) ++wrong;
    }
  };
  std::vector<std::future<void>> clients;
  for (int i = 0; i < 6; ++i) clients.push_back(std::async(std::launch::async, ask));
  while (answered < 6) std::this_thread::yield();
  EXPECT_EQ(server_->end(SIGTERM), 0) << server_->err();
  for (auto& client : clients) client.get();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Serve, TellsMistakesInOneLine) {
  start();
  const std::string serve = "serve --model " + model_ + " ";
  const auto taken = run_heed(serve + "--port " + std::to_string(port_));
  EXPECT_EQ(taken.code, 1);
  EXPECT_EQ(taken.out, "");
  EXPECT_NE(
      split(taken.err).back().find("heed: --port " + std::to_string(port_) + ": it is in use"),
      std::string::npos)
      << taken.err;
  EXPECT_EQ(run_heed(serve + "--port 65536").code, 2);
  EXPECT_EQ(run_heed(serve + "--host nowhere.invalid --port 0").code, 1);
  EXPECT_EQ(run_heed(serve + "--port 0 --beam 30 --max-beam 20").code, 1);
  EXPECT_EQ(run_heed(serve + "--port 0 --max-waiting 1").code, 1);
  EXPECT_EQ(run_heed("serve --port 0").code, 2);
  EXPECT_EQ(run_heed("serve --port 0 --model " + dir_.file("none")).code, 1);
}

}  // namespace
}  // namespace heed
