#include "serve/request.h"

#include <gtest/gtest.h>

#include "serve/http_error.h"

namespace heed::serve {
namespace {

using Lines = std::vector<std::string>;

RequestRules rules() { return {.beam = 5, .most_beam = 20, .most_sentences = 4}; }

struct Refusal {
  int status = 200;
  std::string message;
};

Refusal refusal_of(const std::string& body, const RequestRules& by = rules()) {
  try {
    parse_request(body, by);
  } catch (const HttpError& error) {
    return {error.status(), error.what()};
  }
  return {};
}

void expect_refusal(const std::string& body, const std::string& part) {
  const Refusal refusal = refusal_of(body);
  EXPECT_EQ(refusal.status, 400) << body;
  EXPECT_NE(refusal.message.find(part), std::string::npos) << body << ": " << refusal.message;
}

TEST(RequestLines, AreThoseOfAFileWithThisContent) {
  EXPECT_EQ(lines_of(""), (Lines{""}));
  EXPECT_EQ(lines_of("a b"), (Lines{"a b"}));
  EXPECT_EQ(lines_of("a b\n"), (Lines{"a b"}));
  EXPECT_EQ(lines_of("\n"), (Lines{""}));
  EXPECT_EQ(lines_of("a\r\n\nb"), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines_of("a\rb\r\r\nc\r"), (Lines{"a\rb\r", "c\r"}));
  EXPECT_EQ(lines_of("a\xe2\x80\xa8"
                     "b"),
            (Lines{"a\xe2\x80\xa8"
                   "b"}));  // U+2028 does not end a line
}

TEST(ParseRequest, TakesOneTextOrSeveral) {
  EXPECT_EQ(parse_request(R"({"text": "A dog."})", rules()).texts,
            (std::vector<Lines>{{"A dog."}}));
  EXPECT_EQ(parse_request(R"({"text": ["A dog.", "", "a\nb"]})", rules()).texts,
            (std::vector<Lines>{{"A dog."}, {""}, {"a", "b"}}));
  EXPECT_TRUE(parse_request(R"({"text": []})", rules()).texts.empty());
}

TEST(ParseRequest, LeavesOpenWhatTheServerDecides) {
  const TranslateRequest request = parse_request(R"({"text": "a"})", rules());
  EXPECT_EQ(request.search, (SearchVariant{5, 1, false}));
  EXPECT_FALSE(request.alignment || request.attention || request.words || request.everything);
}

TEST(ParseRequest, ReadsEveryKey) {
  const TranslateRequest request = parse_request(
      R"({"text": "a", "beam": 7, "nbest": 3, "alignment": true, "attention": true,
          "words": true, "format": "json"})",
      rules());
  EXPECT_EQ(request.search, (SearchVariant{7, 3, true}));
  EXPECT_TRUE(request.alignment && request.attention && request.words && request.everything);
}

TEST(ParseRequest, TakesAWholeNumberWrittenWithAPoint) {
  EXPECT_EQ(parse_request(R"({"text": "a", "beam": 7.0})", rules()).search.beam, 7);
  EXPECT_EQ(parse_request(R"({"text": "a", "beam": 2e1})", rules()).search.beam, 20);
}

TEST(ParseRequest, KeepsAttentionOnlyWhereItIsShown) {
  const auto keeps = [](const std::string& keys) {
    return parse_request(R"({"text": "a")" + keys + "}", rules()).search.attention;
  };
  EXPECT_FALSE(keeps(""));
  EXPECT_FALSE(keeps(R"(, "attention": false, "format": "text")"));
  EXPECT_TRUE(keeps(R"(, "alignment": true)"));
  EXPECT_TRUE(keeps(R"(, "attention": true)"));
  EXPECT_TRUE(keeps(R"(, "format": "json")"));
}

TEST(ParseRequest, SaysWhatIsWrongAndWhatToDo) {
  expect_refusal("", "the body is no JSON");
  expect_refusal("{\"text\": \"a\"", "send an object as {\"text\": \"A dog runs.\"}");
  expect_refusal("[]", "must be a JSON object");
  expect_refusal("\"a\"", "must be a JSON object");
  expect_refusal("{}", "text is missing");
  expect_refusal(R"({"text": 5})", "text must be a text in quotes or a list");
  expect_refusal(R"({"text": ["a", null]})", "text must be");
  expect_refusal(R"({"text": {"a": "b"}})", "text must be");
  expect_refusal(R"({"texts": "a"})", "unknown key 'texts' (did you mean 'text'?)");
  expect_refusal(R"({"text": "a", "temperature": 1})",
                 "unknown key 'temperature': there are text,");
  expect_refusal(R"({"text": "a", "beam": "5"})", "beam must be a whole number");
  expect_refusal(R"({"text": "a", "beam": 5.5})", "beam must be a whole number");
  expect_refusal(R"({"text": "a", "beam": 0})", "beam must be from 1");
  expect_refusal(R"({"text": "a", "beam": -3})", "beam must be from 1");
  expect_refusal(R"({"text": "a", "beam": 18446744073709551615})", "beam must be from 1");
  expect_refusal(R"({"text": "a", "beam": 21})", "beam must be from 1 to 20");
  expect_refusal(R"({"text": "a", "nbest": 0})", "nbest must be from 1 to 20");
  expect_refusal(R"({"text": "a", "beam": 100000000000000000000})", "beam must be from 1 to 20");
  expect_refusal(R"({"text": "a", "beam": 1e400})", "a number that is out of range");
  expect_refusal(R"({"text": "a", "beam": -1e999})", "a number that is out of range");
  expect_refusal(R"({"text": "a", "text": "b"})", "text is given twice");
  expect_refusal(R"({"text": "a", "beam": 1, "beam": 1})", "beam is given twice");
  expect_refusal(R"({"text": "a", "nbest": 6})", "nbest 6 needs a beam of at least 6; it is 5");
  expect_refusal(R"({"text": "a", "alignment": 1})", "alignment must be true or false");
  expect_refusal(R"({"text": "a", "attention": "true"})", "attention must be true or false");
  expect_refusal(R"({"text": "a", "format": "xml"})", R"(format must be "text" or "json")");
  expect_refusal(R"({"text": "a", "format": 1})", "format must be");
  expect_refusal(R"({"text": "a", "words": true})", "words needs alignment");
  expect_refusal(R"({"text": "\ud800"})", "the body is no JSON");
}

TEST(ParseRequest, RefusesTooManySentences) {
  EXPECT_EQ(refusal_of(R"({"text": ["a", "b", "c", "d"]})").status, 200);
  EXPECT_EQ(refusal_of(R"({"text": ["a", "b", "c", "d", "e"]})").status, 413);
  EXPECT_EQ(refusal_of(R"({"text": "a\nb\nc\nd\ne"})").status, 413);
}

TEST(ParseRequest, ReplacesInvalidUtf8) {
  const auto request = parse_request("{\"text\": \"a \xff\xc3 b\xe2\x82\"}", rules());
  EXPECT_EQ(request.texts[0][0], "a \xef\xbf\xbd\xef\xbf\xbd b\xef\xbf\xbd");
}

TEST(ParseRequest, OfAModelWithoutAttentionHasNone) {
  RequestRules without = rules();
  without.has_attention = false;
  EXPECT_EQ(refusal_of(R"({"text": "a", "alignment": true})", without).status, 400);
  EXPECT_EQ(refusal_of(R"({"text": "a", "attention": true})", without).status, 400);
  EXPECT_FALSE(parse_request(R"({"text": "a", "format": "json"})", without).search.attention);
}

TEST(ParseRequest, OfAServerThatDrawsHasNoBeam) {
  RequestRules drawing = rules();
  drawing.sampling = true;
  EXPECT_EQ(refusal_of(R"({"text": "a", "beam": 2})", drawing).status, 400);
  EXPECT_EQ(parse_request(R"({"text": "a", "nbest": 9})", drawing).search.nbest, 9);
  EXPECT_EQ(refusal_of(R"({"text": "a", "nbest": 21})", drawing).status, 400);
}

TEST(ParseRequest, BearsDeepNesting) {
  const std::string deep(200'000, '[');
  EXPECT_EQ(refusal_of(deep).status, 400);
  EXPECT_EQ(refusal_of(deep + std::string(200'000, ']')).status, 400);
}

}  // namespace
}  // namespace heed::serve
