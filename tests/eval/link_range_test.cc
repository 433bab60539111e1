// Links to words beyond the end of their sentence.
#include "eval/link_range.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "eval/gold_links.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

TEST(LinkRange, LengthsAreThoseOfWordsBetweenSpaces) {
  const test::TempDir dir;
  const auto lengths = read_lengths(dir.write("s", "a b c\n\n  d\te  \n"),
                                    dir.write("t", "x\ny z\nzu\xC2\xA0zweit\n"), 3);
  ASSERT_EQ(lengths.size(), 3u);
  EXPECT_EQ(lengths[0].source, 3);
  EXPECT_EQ(lengths[0].target, 1);
  EXPECT_EQ(lengths[1].source, 0);
  EXPECT_EQ(lengths[2].source, 2);
  EXPECT_EQ(lengths[2].target, 1) << "a no-break space parts no words";
}

TEST(LinkRange, TextsOfOtherLengthThanTheLinksAreAnError) {
  const test::TempDir dir;
  const std::string one = dir.write("one", "a\n"), two = dir.write("two", "a\nb\n");
  EXPECT_EQ(test::message_of<UserError>([&] { read_lengths(two, one, 2); }),
            one + " has 1 line, the links have 2; they must match");
  EXPECT_THROW(read_lengths(one, two, 2), UserError);
}

TEST(LinkRange, LinksBeyondEitherEndAreCounted) {
  const std::vector<PairLength> lengths = {{2, 3}, {1, 1}};
  EXPECT_EQ(count_beyond({{{0, 0}, {1, 2}}, {{0, 0}}}, lengths), 0);
  EXPECT_EQ(count_beyond({{{2, 0}, {1, 3}, {9, 9}}, {{0, 1}}}, lengths), 4);
  EXPECT_THROW(count_beyond({{}}, lengths), InternalError);
}

TEST(LinkRange, GoldBeyondTheEndIsTakenOut) {
  std::vector<GoldLinks> gold = {{{{0, 0}, {2, 0}}, {{0, 0}, {1, 1}, {2, 0}, {0, 3}}}};
  EXPECT_EQ(drop_beyond(gold, {{2, 3}}), 2);
  EXPECT_EQ(gold[0].sure, (Links{{0, 0}}));
  EXPECT_EQ(gold[0].possible, (Links{{0, 0}, {1, 1}}));
}

// The same gold links in both formats and counted from 0 and from 1.
TEST(LinkRange, EveryFormAndBaseGivesTheSameGold) {
  const test::TempDir dir;
  struct Case {
    const char* text;
    const char* format;
    int64_t base;
  };
  for (const Case& c : {Case{"0-0 1p1\n2-0\n", "pharaoh", 0}, Case{"1-1 2p2\n3-1\n", "pharaoh", 1},
                        Case{"1 0 0 S\n1 1 1 P\n2 2 0\n", "naacl", 0},
                        Case{"1 1 1\n1 2 2 P\n2 3 1 S\n", "naacl", 1}}) {
    const auto gold = read_gold(dir.write("gold", c.text), c.format, c.base, 2);
    EXPECT_EQ(gold.dropped, 0) << c.text;
    EXPECT_EQ(gold.sentences[0].sure, (Links{{0, 0}})) << c.text;
    EXPECT_EQ(gold.sentences[0].possible, (Links{{0, 0}, {1, 1}})) << c.text;
    EXPECT_EQ(gold.sentences[1].sure, (Links{{2, 0}})) << c.text;
  }
}

TEST(LinkRange, ALinkBeforeTheFirstTokenIsDroppedInBothForms) {
  const test::TempDir dir;
  EXPECT_EQ(read_gold(dir.write("p", "0-1 1-1 2p0\n"), "pharaoh", 1, 1).dropped, 2);
  EXPECT_EQ(read_gold(dir.write("n", "1 0 1\n1 1 1 S\n1 2 0 P\n"), "naacl", 1, 1).dropped, 2);
}

TEST(LinkRange, NaaclSentencesMayBeCountedFromZero) {
  const test::TempDir dir;
  const auto gold = read_gold(dir.write("n", "0 0 0\n2 1 1\n"), "naacl", 0, 3);
  EXPECT_EQ(gold.sentences[0].sure, (Links{{0, 0}}));
  EXPECT_TRUE(gold.sentences[1].possible.empty());
  EXPECT_EQ(gold.sentences[2].sure, (Links{{1, 1}}));
  EXPECT_THROW(read_gold(dir.write("n", "0 0 0\n3 1 1\n"), "naacl", 0, 3), UserError);
}

}  // namespace
}  // namespace heed
