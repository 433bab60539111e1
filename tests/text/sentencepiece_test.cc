#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "text/make_vocabulary.h"
#include "text/mend.h"

namespace heed {
namespace {

using test::message_of;
using test::TempDir;

// Two hundred sentences over a few words, enough for some subwords.
std::string small_text() {
  const char* animals[] = {"cat", "dog", "horse", "mouse", "bird"};
  const char* verbs[] = {"sees", "finds", "likes", "watches"};
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += fmt::format("The {} {} a small {} near the {} .\n", animals[i % 5], verbs[i % 4],
                        animals[(i / 4) % 5], animals[(i / 20) % 5]);
  return text;
}

class SentencePiece : public testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const Vocabulary> train(const std::string& text, int64_t size = 60,
                                          bool lowercase = false) const {
    const std::string path = dir_.write("text", text);
    return train_vocabulary({path}, {.type = GetParam(), .size = size, .lowercase = lowercase});
  }

  TempDir dir_;
};

TEST_P(SentencePiece, HasItsControlIdsFirst) {
  const auto vocabulary = train(small_text());
  EXPECT_STREQ(vocabulary->kind(), "sentencepiece");
  EXPECT_EQ(vocabulary->piece(kUnknown), "<unk>");
  EXPECT_EQ(vocabulary->piece(kStart), "<s>");
  EXPECT_EQ(vocabulary->piece(kEnd), "</s>");
  EXPECT_THROW(vocabulary->piece(static_cast<TokenId>(vocabulary->size())), InternalError);
  EXPECT_THROW(vocabulary->piece(-1), InternalError);
}

TEST_P(SentencePiece, DecodesWhatItEncoded) {
  const auto vocabulary = train(small_text());
  const std::string line = "The mouse likes a small dog .";
  const auto ids = vocabulary->encode(line);
  EXPECT_GT(ids.size(), 3U);
  EXPECT_EQ(vocabulary->decode(ids), line);
  EXPECT_EQ(vocabulary->tokenize(line).ids, ids);
}

TEST_P(SentencePiece, LivesOnInItsSerialisedForm) {
  const auto vocabulary = train(small_text());
  const auto copy = make_vocabulary(vocabulary->kind(), vocabulary->serialize(), "copy");
  ASSERT_EQ(copy->size(), vocabulary->size());
  for (TokenId id = 0; id < vocabulary->size(); ++id)
    EXPECT_EQ(copy->piece(id), vocabulary->piece(id));
  EXPECT_EQ(copy->serialize(), vocabulary->serialize());
  const auto loaded = load_sentencepiece(dir_.write("v.model", vocabulary->serialize()));
  EXPECT_EQ(loaded->encode("a small cat"), vocabulary->encode("a small cat"));
}

TEST_P(SentencePiece, IsTheSameForTheSameText) {
  EXPECT_EQ(train(small_text())->serialize(), train(small_text())->serialize());
}

TEST_P(SentencePiece, TreatsTypedControlSymbolsAsText) {
  const auto vocabulary = train(small_text() + "the </s> of <s> and <unk>\n");
  for (const char* line : {"the cat </s> sees <s> a <unk> dog", "</s>", "a</s>b", "<s><s>"}) {
    const auto ids = vocabulary->encode(line);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), kEnd), 0) << line;
    EXPECT_EQ(std::count(ids.begin(), ids.end(), kStart), 0) << line;
    std::string surface;
    for (const std::string& piece : vocabulary->tokenize(line).pieces) surface += piece;
    std::string wanted = "\u2581" + std::string(line);
    for (size_t at = 0; (at = wanted.find(' ')) != std::string::npos;)
      wanted.replace(at, 1, "\u2581");
    EXPECT_EQ(surface, wanted);
  }
}

TEST_P(SentencePiece, KeepsTheSurfaceOfAnUnknownPiece) {
  const auto vocabulary = train(small_text());
  const Tokens tokens = vocabulary->tokenize("The \u6f22 cat");
  const auto unknown = std::find(tokens.ids.begin(), tokens.ids.end(), kUnknown);
  ASSERT_NE(unknown, tokens.ids.end());
  EXPECT_EQ(tokens.pieces[static_cast<size_t>(unknown - tokens.ids.begin())], "\u6f22");
  EXPECT_EQ(vocabulary->decode(tokens.ids), "The \u2047 cat") << "one space at each side";
}

TEST_P(SentencePiece, LeavesControlIdsOutOfTheText) {
  const auto vocabulary = train(small_text());
  std::vector<TokenId> ids = vocabulary->encode("a small cat");
  ids.insert(ids.begin(), kStart);
  ids.push_back(kEnd);
  EXPECT_EQ(vocabulary->decode(ids), "a small cat");
  EXPECT_EQ(vocabulary->decode({}), "");
}

TEST_P(SentencePiece, LowercasesAsPartOfTheModel) {
  const auto vocabulary = train("\u00c4pfel ESSEN\n" + small_text(), 60, true);
  const auto copy = make_vocabulary("sentencepiece", vocabulary->serialize(), "copy");
  EXPECT_EQ(copy->decode(copy->encode("\u00c4PFEL Essen")), "\u00e4pfel essen");
}

TEST_P(SentencePiece, KnowsWhereWordsBegin) {
  const auto vocabulary = train(small_text());
  EXPECT_TRUE(vocabulary->begins_word("\u2581cat"));
  EXPECT_FALSE(vocabulary->begins_word("cat"));
  EXPECT_EQ(vocabulary->without_mark("\u2581cat"), "cat");
  EXPECT_EQ(vocabulary->without_mark("cat\u2581"), "cat\u2581");
  EXPECT_EQ(vocabulary->with_mark("cat"), "\u2581cat");
}

TEST_P(SentencePiece, MendsInvalidUtf8) {
  const auto vocabulary = train(small_text() + "bad \xff bytes\n");
  EXPECT_EQ(vocabulary->encode("a \xff cat"), vocabulary->encode("a \ufffd cat"));
  for (TokenId id = 0; id < vocabulary->size(); ++id)
    EXPECT_TRUE(is_valid_utf8(vocabulary->piece(id)));
}

TEST_P(SentencePiece, SurvivesAnyBytes) {
  const auto vocabulary = train(small_text());
  EXPECT_TRUE(rc::check([&](const std::string& line) {
    const Tokens tokens = vocabulary->tokenize(line);
    RC_ASSERT(tokens.ids == vocabulary->encode(line));
    RC_ASSERT(tokens.ids.size() == tokens.pieces.size());
    RC_ASSERT(is_valid_utf8(vocabulary->decode(tokens.ids)));
  }));
}

TEST_P(SentencePiece, EncodesAVeryLongWordWhole) {
  const auto vocabulary = train(small_text());
  const std::string line(70000, 'a');
  EXPECT_EQ(vocabulary->decode(vocabulary->encode(line)), line);
}

TEST_P(SentencePiece, OfATextTooSmallIsAsLargeAsCanBe) {
  const auto vocabulary = train("the cat\na dog\n", 8000);
  EXPECT_GT(vocabulary->size(), 3);
  EXPECT_LT(vocabulary->size(), 60);
  EXPECT_EQ(vocabulary->decode(vocabulary->encode("the dog")), "the dog");
}

TEST_P(SentencePiece, ReportsHowManyPiecesTheCharactersNeed) {
  // The letters a to d, the word mark and three control pieces.
  const std::string message = message_of<UserError>([&] { train("abc abd bca\n", 5); });
  EXPECT_EQ(message, "data.vocab_size: 5 pieces are too few for the characters of " +
                         dir_.file("text") + "; it needs at least 8");
  EXPECT_GE(train("abc abd bca\n", 8)->size(), 8);
}

TEST_P(SentencePiece, ReportsThatNoLineCanBeUsed) {
  const std::string path = dir_.file("text");
  EXPECT_EQ(message_of<UserError>([&] { train(""); }), path + ": file is empty");
  EXPECT_EQ(message_of<UserError>([&] { train("\n \t\n\x01\n"); }),
            path + ": no usable line: all are empty");
  EXPECT_EQ(message_of<UserError>([&] { train(std::string(20000, 'a') + "\n"); }),
            path + ": no usable line: all exceed 16384 bytes");
  EXPECT_EQ(message_of<UserError>([&] { train_vocabulary({dir_.file("none")}, {}); }),
            dir_.file("none") + ": cannot open: No such file or directory");
}

TEST_P(SentencePiece, WritesNothingBesideTheData) {
  train(small_text());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir_.path()), {}), 1);
}

TEST_P(SentencePiece, TrainsOnOneSideOfATsv) {
  const std::string path = dir_.write("f.tsv", "abc abd\txyz xyy\nabc\txyz\n");
  const auto left = train_vocabulary({path}, {.type = GetParam(), .size = 50, .tsv_column = 1});
  EXPECT_EQ(left->decode(left->encode("abd")), "abd");
  const auto ids = left->encode("x");
  EXPECT_NE(std::find(ids.begin(), ids.end(), kUnknown), ids.end());
}

INSTANTIATE_TEST_SUITE_P(Types, SentencePiece, testing::Values("unigram", "bpe"),
                         [](const auto& about) { return std::string(about.param); });

TEST(SentencePieceModel, RefusesWhatIsNotOne) {
  const TempDir dir;
  const auto load = [](const std::string& path) {
    return message_of<UserError>([&] { load_sentencepiece(path); });
  };
  EXPECT_EQ(load(dir.file("none.model")),
            dir.file("none.model") + ": cannot open: No such file or directory");
  const std::string advice = ": not a SentencePiece model; give the .model file, not the .vocab";
  for (const std::string content : {"<!DOCTYPE html>", "", "<unk>\t0\n<s>\t0\n"}) {
    const std::string path = dir.write("x.model", content);
    EXPECT_EQ(load(path), path + advice) << content;
  }
  const auto vocabulary = train_vocabulary({dir.write("text", small_text())}, {.size = 60});
  const std::string bytes = vocabulary->serialize();
  const std::string cut = dir.write("cut.model", bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(load(cut), cut + advice);
}

}  // namespace
}  // namespace heed
