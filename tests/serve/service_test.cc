#include "serve/service.h"

#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>

#include "decode/random_model.h"
#include "decode/saved_random_model.h"
#include "serve/http_error.h"
#include "text/word_vocabulary.h"

namespace heed::serve {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

class Answers : public ::testing::Test {
 protected:
  Answers() {
    options_.search.beam = 4;
    options_.search.constraints.max_length_ratio = 1;
    options_.search.constraints.max_length_extra = 3;
    options_.facts = {{"attention", true}};
  }

  Service& service() {
    if (!service_) service_ = std::make_unique<Service>(*model_, words_, words_, options_);
    return *service_;
  }
  Json ask(const Json& request) { return Json::parse(service().translate(request.dump())); }
  Json entry(const Json& request) { return ask(request).at("translations").at(0); }
  // What the translator of the command line makes of the lines.
  Texts expected(const Texts& lines) {
    TranslatorOptions options;
    options.search = options_.search;
    Translator translator(*model_, words_, options);
    Texts texts;
    translator.run(lines, [&](const TranslatedLine& line) {
      texts.push_back(words_.decode(line.translation.best().ids));
    });
    return texts;
  }
  int status_of(const std::string& body) {
    try {
      service().translate(body);
    } catch (const HttpError& error) {
      return error.status();
    }
    return 200;
  }

  WordVocabulary words_{test::letters(), false};
  std::unique_ptr<Model> model_ = test::random_model({});
  ServiceOptions options_;
  std::unique_ptr<Service> service_;
};

Texts keys_of(const Json& object) {
  Texts keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

TEST_F(Answers, HaveATranslationForEachTextInOrder) {
  const Texts lines = {"a b c", "", "d", "zebra a", "e f g h i a b"};
  const Json answer = ask({{"text", lines}});
  Texts texts;
  for (const Json& one : answer.at("translations")) texts.push_back(one.at("text"));
  EXPECT_EQ(texts, expected(lines));
  EXPECT_EQ(texts[1], "");
  EXPECT_EQ(ask({{"text", Json::array()}}).at("translations"), Json::array());
}

TEST_F(Answers, OfAnEmptyTextAreEmpty) {
  const Json empty = entry({{"text", ""}, {"format", "json"}});
  EXPECT_EQ(empty.at("text"), "");
  EXPECT_EQ(empty.at("logp"), 0);
  EXPECT_EQ(empty.at("finished"), true);
  for (const char* list : {"tokens", "token_logp", "target", "attention", "source"})
    EXPECT_EQ(empty.at(list), Json::array()) << list;
  EXPECT_EQ(empty.at("links"), "");
}

TEST_F(Answers, OfSeveralLinesAreTheirTranslationsLineByLine) {
  const Json whole = entry({{"text", "a b\n\nc\r\n"}, {"alignment", true}});
  const Texts texts = expected({"a b", "", "c"});
  EXPECT_EQ(whole.at("text"), texts[0] + "\n" + texts[1] + "\n" + texts[2]);
  ASSERT_EQ(whole.at("lines").size(), 3U);
  double logp = 0;
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(whole.at("lines")[i].at("text"), texts[i]);
    EXPECT_TRUE(whole.at("lines")[i].contains("links"));
    logp += whole.at("lines")[i].at("logp").get<double>();
  }
  EXPECT_NEAR(whole.at("logp").get<double>(), logp, 1e-5);
  EXPECT_EQ(entry({{"text", "c\n"}}), entry({{"text", "c"}}));
}

TEST_F(Answers, HaveTheKeysThatWereAskedFor) {
  const auto keys = [this](Json request) {
    request["text"] = "a b";
    return keys_of(entry(request));  // in alphabetical order
  };
  EXPECT_EQ(keys(Json::object()), (Texts{"finished", "logp", "score", "text"}));
  EXPECT_EQ(keys({{"alignment", true}}),
            (Texts{"finished", "links", "logp", "score", "source", "target", "text"}));
  EXPECT_EQ(keys({{"attention", true}}),
            (Texts{"attention", "finished", "logp", "score", "source", "target", "text"}));
  EXPECT_EQ(keys({{"format", "json"}}),
            (Texts{"attention", "finished", "links", "logp", "score", "source", "target", "text",
                   "token_logp", "tokens"}));
  EXPECT_EQ(keys({{"nbest", 2}}), (Texts{"finished", "logp", "nbest", "score", "text"}));
}

TEST_F(Answers, ListTheBestTranslationsWithTheBestFirst) {
  const Json one = entry({{"text", "a b c"}, {"nbest", 3}, {"attention", true}});
  ASSERT_EQ(one.at("nbest").size(), 3U);
  EXPECT_EQ(one.at("nbest")[0].at("text"), one.at("text"));
  for (size_t i = 0; i < 3; ++i) {
    const Json& other = one.at("nbest")[i];
    if (i > 0) {
      EXPECT_LE(other.at("score"), one.at("nbest")[i - 1].at("score"));
    }
    EXPECT_EQ(other.at("attention").size(), other.at("target").size());
  }
}

TEST_F(Answers, TellWhichLinesWereCut) {
  std::string text;
  for (int i = 0; i < 1200; ++i) text += "a ";
  options_.search.beam = 1;
  options_.search.constraints.max_length = 3;
  options_.search.constraints.max_length_ratio = 0;
  EXPECT_EQ(entry({{"text", text}}).at("note"),
            "the line has 1200 tokens and was cut to the first 1000");
  EXPECT_NE(service().metrics().find("heed_cut_sentences_total 1\n"), std::string::npos);
  EXPECT_FALSE(entry({{"text", "a"}}).contains("note"));
}

TEST_F(Answers, AreTheSameWhateverSharesTheirBatch) {
  const Texts lines = {"a b c d e f", "c", "i h g", "zebra", "b b b b"};
  std::vector<Json> alone;
  for (const std::string& line : lines)
    alone.push_back(entry({{"text", line}, {"format", "json"}}));
  const auto client = [&](unsigned seed) {
    for (size_t i = 0; i < 40; ++i) {
      const size_t which = (i * 7 + seed) % lines.size();
      const Json together = entry({{"text", lines[which]}, {"format", "json"}});
      if (together.at("text") != alone[which].at("text")) return false;
      if (together.at("links") != alone[which].at("links")) return false;
      if (std::abs(together.at("logp").get<double>() - alone[which].at("logp").get<double>()) >
          1e-4)
        return false;
    }
    return true;
  };
  std::vector<std::future<bool>> clients;
  for (unsigned seed = 0; seed < 6; ++seed)
    clients.push_back(std::async(std::launch::async, client, seed));
  for (auto& same : clients) EXPECT_TRUE(same.get());
}

TEST_F(Answers, OfDrawsDependOnTheTextAlone) {
  options_.search.sampling = Sampling{};
  options_.search.beam = options_.search.nbest = 1;
  const Json one = entry({{"text", "a b c"}, {"nbest", 3}});
  EXPECT_EQ(one.at("nbest").size(), 3U);
  // The last digit of a log-probability may depend on what shares the batch.
  const Json again = ask({{"text", {"d", "a b c"}}, {"nbest", 3}}).at("translations")[1];
  ASSERT_EQ(again.at("nbest").size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    const Json &drawn = one.at("nbest")[i], &repeated = again.at("nbest")[i];
    EXPECT_EQ(repeated.at("text"), drawn.at("text"));
    EXPECT_EQ(repeated.at("finished"), drawn.at("finished"));
    EXPECT_NEAR(repeated.at("logp").get<double>(), drawn.at("logp").get<double>(), 1e-5);
  }
}

TEST_F(Answers, RefuseWhatCannotBeDone) {
  options_.most_sentences = 2;
  EXPECT_EQ(status_of(R"({"text": ["a", "b"]})"), 200);
  EXPECT_EQ(status_of(R"({"text": ["a", "b", "c"]})"), 413);
  EXPECT_EQ(status_of(R"({"text": 1})"), 400);
}

TEST_F(Answers, OfAModelWithoutAttentionHaveNone) {
  model_ = test::random_model({.score = "none"});
  EXPECT_EQ(status_of(R"({"text": "a", "alignment": true})"), 400);
  EXPECT_EQ(entry({{"text", "a"}, {"format", "json"}}).at("attention"), Json::array());
}

TEST_F(Answers, OfHealthTellTheFactsAndTheLimits) {
  options_.most_sentences = 77;
  const Json health = Json::parse(service().health());
  EXPECT_EQ(health.at("status"), "ok");
  EXPECT_EQ(health.at("attention"), true);
  EXPECT_EQ(health.at("limits").at("sentences"), 77);
}

TEST_F(Answers, AreCounted) {
  ask({{"text", {"a b c", "d"}}});
  const std::string metrics = service().metrics();
  EXPECT_NE(metrics.find("heed_sentences_total 2\n"), std::string::npos);
  EXPECT_NE(metrics.find("heed_source_tokens_total 4\n"), std::string::npos);
  EXPECT_NE(metrics.find("heed_batch_sentences_count 1\n"), std::string::npos);
  EXPECT_NE(metrics.find("heed_batch_tokens_sum 6\n"), std::string::npos);  // with </s>
  EXPECT_EQ(metrics.find("heed_resident_memory_bytes 0\n"), std::string::npos);
}

}  // namespace
}  // namespace heed::serve
