#include "decode/alignment.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "decode/marked_pieces.h"
#include "text/mend.h"

namespace heed {
namespace {

using test::MarkedPieces;

using Strings = std::vector<std::string>;
using Matrix = std::vector<std::vector<float>>;

TEST(MergeWords, SumsColumnsAndAveragesRows) {
  const AlignedSentence pieces = {3,
                                  {"▁new", "▁a", "ge", "</s>"},
                                  {"▁neue", "s", "▁alter", "</s>"},
                                  {{0.5F, 0.25F, 0.125F, 0.125F},
                                   {0.25F, 0.25F, 0.25F, 0.25F},
                                   {0, 0.25F, 0.75F, 0},
                                   {0, 0, 0, 1}},
                                  -1.5};
  const AlignedSentence words = merge_words(pieces, MarkedPieces(), MarkedPieces());
  EXPECT_EQ(words.source, (Strings{"new", "age", "</s>"}));
  EXPECT_EQ(words.target, (Strings{"neues", "alter", "</s>"}));
  EXPECT_EQ(words.attention, (Matrix{{0.375F, 0.4375F, 0.1875F}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(words.id, 3);
  EXPECT_EQ(words.score, -1.5);
}

TEST(WordBegins, ALoneMarkGoesWithThePieceAfterIt) {
  const MarkedPieces vocabulary;
  EXPECT_EQ(word_begins({"▁the", "▁", "漢", "▁cat", "</s>"}, vocabulary),
            (std::vector<size_t>{0, 1, 3, 4}));
  EXPECT_EQ(word_begins({"▁the", "▁", "▁cat", "</s>"}, vocabulary), (std::vector<size_t>{0, 1, 3}));
  EXPECT_EQ(word_begins({"▁the", "▁", "</s>"}, vocabulary), (std::vector<size_t>{0, 2}));
  EXPECT_EQ(word_begins({"th", "e", "</s>"}, vocabulary), (std::vector<size_t>{0, 2}));
  EXPECT_EQ(word_begins({"</s>"}, vocabulary), (std::vector<size_t>{0}));
  EXPECT_TRUE(word_begins({}, vocabulary).empty());
}

TEST(MergeWords, LeavesTheMarkInWordsOfAWordVocabulary) {
  const WordVocabulary words({}, false);
  const AlignedSentence sentence = {0, {"▁x", "</s>"}, {"y", "</s>"}, {{1, 0}, {0, 1}}, 0};
  EXPECT_EQ(merge_words(sentence, words, words).source, (Strings{"▁x", "</s>"}));
}

TEST(AlignedSentence, PutsTheEndOnBothSides) {
  Hypothesis hypothesis;
  hypothesis.log_probability = -2;
  hypothesis.attention = {{0.5F, 0.5F}, {0, 1}};
  const AlignedSentence sentence = aligned_sentence(7, {"a"}, {"b"}, hypothesis);
  EXPECT_EQ(sentence.source, (Strings{"a", "</s>"}));
  EXPECT_EQ(sentence.target, (Strings{"b", "</s>"}));
  EXPECT_EQ(sentence.score, -2);
  EXPECT_TRUE(aligned_sentence(7, {}, {}, {}).source.empty());
}

TEST(Dump, IsOneJsonObjectALineInTheOrderOfTheContract) {
  const AlignedSentence sentence = {0, {"▁a", "</s>"}, {"</s>"}, {{0.283F, 0.717F}}, -3.21};
  EXPECT_EQ(dump_line(sentence),
            R"({"id":0,"source":["▁a","</s>"],"target":["</s>"],"attention":[[0.283,0.717]],)"
            R"("score":-3.21})");
  EXPECT_EQ(dump_line({4, {}, {}, {}, 0}),
            R"({"id":4,"source":[],"target":[],"attention":[],"score":0.0})");
}

TEST(Dump, IsValidUtf8WhateverThePieceIs) {
  const std::string line = dump_line({0, {"\xff\xe2\x96", "\"\n\\", "</s>"}, {}, {}, 0});
  EXPECT_TRUE(is_valid_utf8(line));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(line).at("source").at(1), "\"\n\\");
}

}  // namespace
}  // namespace heed
