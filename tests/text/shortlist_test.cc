#include "text/shortlist.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "text/word_vocabulary.h"

namespace heed {
namespace {

using test::message_of;
using test::TempDir;
using Ids = std::vector<TokenId>;

class ShortlistFile : public ::testing::Test {
 protected:
  Shortlister read(const std::string& content, const ShortlistOptions& options) const {
    return {dir_.write("lex", content), source_, target_, options};
  }
  std::string problem(const std::string& content) const {
    return message_of<UserError>([&] { read(content, {}); });
  }

  TempDir dir_;
  WordVocabulary source_{{"a", "b", "c", "d"}, false};            // 3 .. 6
  WordVocabulary target_{{"v", "w", "x", "y", "z", "q"}, false};  // 3 .. 8
};

TEST_F(ShortlistFile, GivesTheBestCandidatesOfEachTokenAscending) {
  const std::string content = "y a 0.2\nz a 0.5\nx a 0.3\nv b 1\n";
  const auto one = read(content, {.frequent = 0, .candidates = 1});
  EXPECT_EQ(one.of(Ids{3}), (Shortlist{0, 1, 2, 7}));
  const auto two = read(content, {.frequent = 0, .candidates = 2});
  EXPECT_EQ(two.of(Ids{3}), (Shortlist{0, 1, 2, 5, 7}));
  EXPECT_EQ(two.of(Ids{4, 3, 4}), (Shortlist{0, 1, 2, 3, 5, 7}));
}

TEST_F(ShortlistFile, OfNothingKnownItIsTheFrequentPiecesAlone) {
  const std::string content = "y a 0.6\ny b 0.3\nw b 0.7\nz c 0.1\n";  // y 0.9, w 0.7, z 0.1
  EXPECT_EQ(read(content, {.frequent = 0}).of(Ids{kUnknown, 6}), (Shortlist{0, 1, 2}));
  EXPECT_EQ(read(content, {.frequent = 1}).of(Ids{}), (Shortlist{0, 1, 2, 6}));
  EXPECT_EQ(read(content, {.frequent = 2}).of(Ids{6}), (Shortlist{0, 1, 2, 4, 6}));
  EXPECT_EQ(read(content, {.frequent = 4}).of(Ids{6}), (Shortlist{0, 1, 2, 3, 4, 6, 7}));
  EXPECT_EQ(read(content, {.frequent = 1000}).of(Ids{}), (Shortlist{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(ShortlistFile, CopiesTheSourceIfTheVocabularyIsShared) {
  const std::string path = dir_.write("lex", "b a 1\n");
  const Shortlister shared(path, source_, source_, {.frequent = 0});
  EXPECT_EQ(shared.of(Ids{6, 3}), (Shortlist{0, 1, 2, 3, 4, 6}));
  const WordVocabulary other({"a", "b", "c", "d"}, false);
  EXPECT_EQ(Shortlister(path, source_, other, {.frequent = 0}).of(Ids{6, 3}),
            (Shortlist{0, 1, 2, 4}));
}

TEST_F(ShortlistFile, ReportsTheLineThatIsWrong) {
  EXPECT_NE(problem("x a 0.5\nx a\n").find("lex:2: needs the three fields"), std::string::npos);
  EXPECT_NE(problem("x a 0.5 0.5\n").find("lex:1: needs the three fields"), std::string::npos);
  EXPECT_NE(problem("x a 0.5\n\n").find("lex:2: needs the three fields"), std::string::npos);
  for (const char* number : {"1.5", "-0.1", "nan", "half", "0.5x"})
    EXPECT_NE(problem("x a " + std::string(number) + "\n")
                  .find("lex:1: '" + std::string(number) + "' is not a probability"),
              std::string::npos);
  EXPECT_NE(problem("").find("file is empty"), std::string::npos);
  EXPECT_NE(problem("g h 1\nNULL a 1\n").find("no line has pieces"), std::string::npos);
  EXPECT_NE(message_of<UserError>([&] {
              Shortlister("/nowhere/lex", source_, target_, {});
            }).find("/nowhere/lex"),
            std::string::npos);
}

TEST_F(ShortlistFile, PassesOverUnknownPieces) {
  const auto shortlister =
      read("x NULL 0.5\nunknown a 0.4\nx unknown 0.1\nv a 1e-05\n", {.frequent = 0});
  EXPECT_EQ(shortlister.of(Ids{3}), (Shortlist{0, 1, 2, 3}));
  EXPECT_NE(shortlister.summary().find("1 source pieces, 1 candidates"), std::string::npos);
}

TEST_F(ShortlistFile, IsWrittenBestFirstWithoutControlPieces) {
  std::vector<LexiconRow> lexicon(7);
  lexicon[kUnknown] = {{3}, {1.0}};
  lexicon[kNullSource] = {{3}, {1.0}};
  lexicon[3] = {{kUnknown, 3, 4, 5, 6}, {0.4, 0.125, 0.25, 0.125, 1e-9}};
  lexicon[5] = {{8}, {1.0}};
  const std::string path = dir_.file("out");
  const auto written = [&](int64_t candidates) {
    Output out(path);
    const int64_t lines = write_lexicon(out, lexicon, source_, target_, candidates);
    out.commit();
    return lines;
  };
  EXPECT_EQ(written(0), 4);
  EXPECT_EQ(dir_.read("out"), "w a 0.2500000\nv a 0.1250000\nx a 0.1250000\nq c 1.0000000\n");
  EXPECT_EQ(written(2), 3);
  EXPECT_EQ(dir_.read("out"), "w a 0.2500000\nv a 0.1250000\nq c 1.0000000\n");
  EXPECT_EQ(Shortlister(path, source_, target_, {.frequent = 0}).of(Ids{3}),
            (Shortlist{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace heed
