#include "text/word_vocabulary.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "text/make_vocabulary.h"

namespace heed {
namespace {

using Words = std::vector<std::string>;
using Ids = std::vector<TokenId>;
using test::message_of;
using test::TempDir;

std::shared_ptr<const Vocabulary> train(const std::string& text, int64_t size = 100,
                                        bool lowercase = false) {
  const TempDir dir;
  return train_vocabulary({dir.write("text", text)},
                          {.kind = "word", .size = size, .lowercase = lowercase});
}

Words words_of(const Vocabulary& vocabulary) {
  Words words;
  for (TokenId id = 3; id < vocabulary.size(); ++id) words.push_back(vocabulary.piece(id));
  return words;
}

TEST(WordVocabulary, OrdersByFrequencyAndThenByBytes) {
  const auto vocabulary = train("b a c\nb d c\nb\n\xc3\xa9 Z\n");
  EXPECT_EQ(words_of(*vocabulary), (Words{"b", "c", "Z", "a", "d", "\u00e9"}));
}

TEST(WordVocabulary, LeavesOutTheRarestBeyondItsSize) {
  const auto vocabulary = train("b a c\nb c\nb\n", 5);
  EXPECT_EQ(vocabulary->size(), 5);
  EXPECT_EQ(vocabulary->encode("a b c"), (Ids{kUnknown, 3, 4}));
  EXPECT_NE(message_of<UserError>([] { train("a\n", 3); }).find("data.vocab_size"),
            std::string::npos);
}

TEST(WordVocabulary, SplitsAtSpaceAndTabOnly) {
  // No-break space, ideographic space and carriage return are parts of words.
  const auto vocabulary = train("5\u00a0km  w\u00e0na\t\u0160 x\u3000y a\rb \n");
  EXPECT_EQ(words_of(*vocabulary), (Words{"5\u00a0km", "a\rb", "w\u00e0na", "x\u3000y", "\u0160"}));
}

TEST(WordVocabulary, DecodesWithSpacesAndWithoutControlIds) {
  const auto vocabulary = train("a b\n");
  EXPECT_EQ(vocabulary->decode(Ids{kStart, 3, kUnknown, 4, kEnd}), "a \u2047 b");
  EXPECT_EQ(vocabulary->decode(Ids{}), "");
}

TEST(WordVocabulary, KeepsTheSurfaceOfAnUnknownWord) {
  const auto vocabulary = train("a b\n");
  const Tokens tokens = vocabulary->tokenize("a  xyz b");
  EXPECT_EQ(tokens.ids, (Ids{3, kUnknown, 4}));
  EXPECT_EQ(tokens.pieces, (Words{"a", "xyz", "b"}));
}

TEST(WordVocabulary, TreatsTypedControlSymbolsAsText) {
  const auto vocabulary = train("a </s> <s> <unk>\n");
  const Ids ids = vocabulary->encode("</s> a <s> <unk>");
  for (const TokenId id : ids) EXPECT_GE(id, 3);
  EXPECT_EQ(vocabulary->decode(ids), "</s> a <s> <unk>");
}

TEST(WordVocabulary, LowercasesEveryScriptAsPartOfItself) {
  const auto vocabulary = train("\u00c4pfel \u041c\u0418\u0420\n", 100, true);
  const auto copy = make_vocabulary("word", vocabulary->serialize(), "copy");
  EXPECT_EQ(copy->decode(copy->encode("\u00c4PFEL \u043c\u0438\u0440")),
            "\u00e4pfel \u043c\u0438\u0440");
}

TEST(WordVocabulary, HasNoMarks) {
  const auto vocabulary = train("a\n");
  EXPECT_TRUE(vocabulary->begins_word("a"));
  EXPECT_EQ(vocabulary->without_mark("\u2581a"), "\u2581a");
  EXPECT_EQ(vocabulary->with_mark("a"), "a");
}

TEST(WordVocabulary, MendsInvalidUtf8) {
  const auto vocabulary = train("the \xff\xfe cat\n");
  EXPECT_EQ(vocabulary->decode(vocabulary->encode("\xff\xfe")), "\ufffd\ufffd");
}

TEST(WordVocabulary, LivesOnInItsSerialisedForm) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& lines) {
    std::string text = "word\n";
    for (const std::string& line : lines) text += line + "\n";
    const auto vocabulary = train(text);
    const auto copy = make_vocabulary("word", vocabulary->serialize(), "copy");
    RC_ASSERT(words_of(*copy) == words_of(*vocabulary));
    RC_ASSERT(copy->encode(text) == vocabulary->encode(text));
    RC_ASSERT(copy->serialize() == vocabulary->serialize());
  }));
}

TEST(WordVocabulary, ReportsLineAndFaultOfADamagedForm) {
  const auto parse = [](const std::string& bytes) {
    return message_of<UserError>([&] { make_vocabulary("word", bytes, "v"); });
  };
  EXPECT_EQ(parse("heed words\na\n\nb\n"), "v:3: a word vocabulary has exactly one word per line");
  EXPECT_EQ(parse("heed words\na b\n"), "v:2: a word vocabulary has exactly one word per line");
  EXPECT_EQ(parse("heed words\na\nb\na\n"), "v:4: 'a' is already in line 2");
  EXPECT_EQ(parse("other\n"), "v: not a word vocabulary (its first line must be 'heed words')");
  EXPECT_EQ(parse(""), "v: not a word vocabulary (it is empty)");
}

TEST(WordVocabulary, ReportsThatThereIsNoWord) {
  EXPECT_NE(message_of<UserError>([] { train(" \n\t\n"); }).find("no line has a word"),
            std::string::npos);
}

TEST(MakeVocabulary, RefusesAnUnknownKind) {
  EXPECT_EQ(message_of<UserError>([] { make_vocabulary("letters", "", "v"); }),
            "v: unknown kind of vocabulary 'letters' (sentencepiece or word)");
}

}  // namespace
}  // namespace heed
