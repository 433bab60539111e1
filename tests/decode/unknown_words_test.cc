#include "decode/unknown_words.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "decode/marked_pieces.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "text/word_vocabulary.h"

namespace heed {
namespace {

using Pieces = std::vector<std::string>;

const WordVocabulary& words() {
  static const WordVocabulary vocabulary({"ein", "Haus"}, false);
  return vocabulary;
}

// <unk> ein <unk> Haus: the first looks at "a", the third at </s> and then at "zoo".
Hypothesis hypothesis() {
  Hypothesis h;
  h.ids = {kUnknown, 3, kUnknown, 4};
  h.attention = {{0.5F, 0.3F, 0.2F}, {1, 0, 0}, {0.1F, 0.3F, 0.6F}, {0, 1, 0}, {0, 0, 1}};
  return h;
}

TEST(UnknownWords, AreTheSourceWordsThatWereLookedAt) {
  EXPECT_EQ(UnknownWords().replaced(hypothesis(), {"a", "zoo"}, words()),
            (Pieces{"a", "ein", "zoo", "Haus"}));
}

TEST(UnknownWords, AreTranslatedByTheDictionaryWhereItHasThem) {
  const test::TempDir dir;
  dir.write("d", "zoo Zoo\nzoo Tierpark\n");
  EXPECT_EQ(UnknownWords(dir.file("d")).replaced(hypothesis(), {"a", "zoo"}, words()),
            (Pieces{"a", "ein", "Zoo", "Haus"}));
}

TEST(UnknownWords, LoseTheMarkOfASubword) {
  EXPECT_EQ(UnknownWords().replaced(hypothesis(),
                                    {"\xe2\x96\x81"
                                     "a",
                                     "zoo"},
                                    words())[0],
            "a");
}

TEST(UnknownWords, KeepTheMarkIfTheTargetHasMarks) {
  const test::TempDir dir;
  dir.write("d", "zoo Zoo\n");
  const UnknownWords unknown(dir.file("d"));
  const test::MarkedPieces marked;
  Hypothesis h;
  h.ids = {kUnknown, kUnknown};
  h.attention = {{0.5F, 0.3F, 0.2F}, {0.1F, 0.8F, 0.1F}, {0, 0, 1}};
  EXPECT_EQ(unknown.replaced(h, {"\u2581a", "\u2581zoo"}, marked),
            (Pieces{"\u2581a", "\u2581Zoo"}));
  EXPECT_EQ(unknown.replaced(h, {"\u2581a", "zoo"}, marked), (Pieces{"\u2581a", "Zoo"}));
}

TEST(UnknownWords, ADictionaryHasTwoWordsALine) {
  const test::TempDir dir;
  dir.write("d", "zoo Zoo\nzoo\n");
  EXPECT_EQ(test::message_of<UserError>([&] { UnknownWords read(dir.file("d")); }),
            dir.file("d") + ":2: needs the two words SOURCE TARGET, has 1");
}

}  // namespace
}  // namespace heed
