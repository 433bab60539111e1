// Reports by frequency and by position, and faults of lines.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "base/error.h"
#include "eval/bleu.h"
#include "eval/by_frequency.h"
#include "eval/by_position.h"
#include "eval/diagnosis.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

using Lines = std::vector<std::string>;

MetricOptions at_spaces() {
  MetricOptions options;
  options.tokenize = "none";
  return options;
}

std::vector<Words> words(const Lines& lines) { return words_of_lines(lines, at_spaces()); }

// Lines of a few different words, so that words are repeated and shared.
Lines some_lines(size_t count) {
  Lines lines;
  for (size_t i = 0; i < count; ++i) {
    std::string line;
    for (int left = *rc::gen::inRange(0, 9); left > 0; --left)
      line += std::string(1, *rc::gen::element('a', 'b', 'c', 'd')) + " ";
    lines.push_back(line);
  }
  return lines;
}

class ByFrequency : public testing::Test {
 protected:
  TrainingWords count(const Lines& files, const Lines& hypotheses, const Lines& references,
                      const MetricOptions& options = at_spaces()) {
    return count_training_words(files, words_of_lines(hypotheses, options),
                                words_of_lines(references, options), options);
  }
  test::TempDir dir_;
};

// a occurs 6 times, b twice, c once, d and e never.
//   hypotheses  a a b d | c e      references  a b b c | c d      in both  a b | c
TEST_F(ByFrequency, EqualsTheCountsByHand) {
  const Lines hypotheses = {"a a b d", "c e"}, references = {"a b b c", "c d"};
  const auto training = count({dir_.write("1", "a a a\na c\n"), dir_.write("2", "z a a b b")},
                              hypotheses, references);
  EXPECT_EQ(training.total, 10);
  const auto bands = words_by_frequency(words(hypotheses), words(references), training);
  ASSERT_EQ(bands.size(), 7u);
  const auto expect = [&](size_t b, const std::string& name, int64_t reference, int64_t hypothesis,
                          int64_t matches) {
    EXPECT_EQ(bands[b].name(), name);
    EXPECT_EQ(bands[b].reference, reference) << name;
    EXPECT_EQ(bands[b].hypothesis, hypothesis) << name;
    EXPECT_EQ(bands[b].matches, matches) << name;
  };
  expect(0, "0", 1, 2, 0);     // d in the second reference; d, e
  expect(1, "1", 2, 1, 1);     // c
  expect(2, "2-5", 2, 1, 1);   // b
  expect(3, "6-10", 1, 2, 1);  // a
  expect(4, "11-100", 0, 0, 0);
  expect(5, "101-1000", 0, 0, 0);
  expect(6, "1001+", 0, 0, 0);
  EXPECT_EQ(bands[0].precision(), 0.0);
  EXPECT_EQ(bands[0].f1(), 0.0);
  EXPECT_EQ(bands[1].precision(), 100.0);
  EXPECT_EQ(bands[1].recall(), 50.0);
  EXPECT_NEAR(*bands[1].f1(), 200.0 / 3, 1e-9);
  EXPECT_EQ(bands[3].precision(), 50.0);
  EXPECT_FALSE(bands[4].precision().has_value());
  EXPECT_FALSE(bands[4].recall().has_value());
  EXPECT_FALSE(bands[4].f1().has_value());
}

TEST_F(ByFrequency, EachCountIsInItsBand) {
  const std::vector<std::pair<int64_t, std::string>> cases = {
      {0, "0"},          {1, "1"},           {2, "2-5"},     {5, "2-5"},
      {6, "6-10"},       {10, "6-10"},       {11, "11-100"}, {100, "11-100"},
      {101, "101-1000"}, {1000, "101-1000"}, {1001, "1001+"}};
  for (const auto& [count, name] : cases) {
    TrainingWords training;
    training.counts["w"] = count;
    for (const FrequencyBand& band : words_by_frequency({{}}, {{"w"}}, training))
      EXPECT_EQ(band.reference, band.name() == name ? 1 : 0) << count;
  }
}

TEST_F(ByFrequency, TrainingTextIsCutAndLoweredAsTheOthersAre) {
  MetricOptions options;
  options.lowercase = true;
  const auto training =
      count({dir_.write("train", "The end.\nthe THE.\n")}, {"the ."}, {""}, options);
  EXPECT_EQ(training.counts.at("the"), 3);
  EXPECT_EQ(training.counts.at("."), 2);
  EXPECT_EQ(training.total, 6);
  EXPECT_EQ(training.counts.count("end"), 0u);
  EXPECT_EQ(
      frequency_signature(options, training)
          .find("nrefs:1|case:lc|tok:13a|bands:0,1,2-5,6-10,11-100,101-1000,1001+|train:6|version"),
      0u);
}

TEST_F(ByFrequency, MoreThanAWindowOfTrainingTextIsCounted) {
  std::string text;
  for (int i = 0; i < 10'001; ++i) text += "a b\n";
  const auto training = count({dir_.write("train", text)}, {"a"}, {"b"});
  EXPECT_EQ(training.total, 20'002);
  EXPECT_EQ(training.counts.at("a"), 10'001);
}

TEST_F(ByFrequency, TrainingTextWithoutAWordIsAnError) {
  const std::string empty = dir_.write("empty", "\n \n");
  EXPECT_EQ(test::message_of<UserError>([&] { count({empty}, {"a"}, {"a"}); }),
            empty + " has no words: it must be the training text");
  EXPECT_THROW(count({dir_.file("missing")}, {"a"}, {"a"}), UserError);
}

TEST_F(ByFrequency, RefusesOtherNumbersOfLines) {
  EXPECT_THROW(words_by_frequency({{}}, {}, {}), InternalError);
  EXPECT_THROW(words_by_position({{}}, {}), InternalError);
  EXPECT_THROW(diagnose({{}}, {}), InternalError);
  EXPECT_THROW(diagnose({{}}, {{{}}}, {{}, {}}), InternalError);
}

// The sums over bands and over positions must equal BLEU's counts of unigrams.
void check_sums_against_bleu() {
  const auto count = static_cast<size_t>(*rc::gen::inRange(1, 6));
  const Lines hypotheses = some_lines(count), references = some_lines(count);
  BleuCounts bleu;
  for (size_t i = 0; i < count; ++i)
    bleu += count_bleu(hypotheses[i], {references[i]}, at_spaces());
  TrainingWords training;
  training.counts = {{"a", 0}, {"b", 3}, {"c", 50}, {"d", 5000}};
  FrequencyBand sum;
  for (const auto& band : words_by_frequency(words(hypotheses), words(references), training)) {
    sum.reference += band.reference;
    sum.hypothesis += band.hypothesis;
    sum.matches += band.matches;
  }
  RC_ASSERT(sum.reference == bleu.reference_length);
  RC_ASSERT(sum.hypothesis == bleu.hypothesis_length);
  RC_ASSERT(sum.matches == bleu.matches[0]);
  double found = 0;
  int64_t all = 0;
  for (const auto& part : words_by_position(words(hypotheses), words(references))) {
    found += part.found;
    all += part.words;
  }
  RC_ASSERT(std::abs(found - static_cast<double>(sum.matches)) < 1e-9);
  RC_ASSERT(all == sum.reference);
}

TEST(WordReports, SumToTheUnigramsOfBleu) { EXPECT_TRUE(rc::check(check_sums_against_bleu)); }

// For each of the five parts, its number of words and how many of them were found.
using Parts = std::vector<std::pair<int64_t, double>>;
Parts parts_of(const std::string& hypothesis, const std::string& reference) {
  Parts parts;
  for (const auto& part : words_by_position(words({hypothesis}), words({reference})))
    parts.emplace_back(part.words, part.found);
  return parts;
}

TEST(ByPosition, AWordIsWhereItsMiddleIs) {
  EXPECT_EQ(parts_of("", "a"), (Parts{{0, 0}, {0, 0}, {1, 0}, {0, 0}, {0, 0}}));
  EXPECT_EQ(parts_of("b", "a b"), (Parts{{0, 0}, {1, 0}, {0, 0}, {1, 1}, {0, 0}}));
  EXPECT_EQ(parts_of("c a", "a b c"), (Parts{{1, 1}, {0, 0}, {1, 0}, {0, 0}, {1, 1}}));
  EXPECT_EQ(parts_of("a b x", "a b c d e"), (Parts{{1, 1}, {1, 1}, {1, 0}, {1, 0}, {1, 0}}));
  EXPECT_EQ(parts_of("j", "a b c d e f g h i j"), (Parts{{2, 0}, {2, 0}, {2, 0}, {2, 0}, {2, 1}}));
  EXPECT_EQ(parts_of("a", ""), (Parts{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}));
}

TEST(ByPosition, ARepeatedWordSharesWhatWasFoundOfIt) {
  EXPECT_EQ(parts_of("a", "a x a y z"), (Parts{{1, 0.5}, {1, 0}, {1, 0.5}, {1, 0}, {1, 0}}));
  EXPECT_EQ(parts_of("a a a", "a x a y z"), (Parts{{1, 1}, {1, 0}, {1, 1}, {1, 0}, {1, 0}}));
}

TEST(ByPosition, PartsAreNamedByTheirPercent) {
  const auto parts = words_by_position(words({"a b"}), words({"a b c d e"}));
  EXPECT_EQ(parts.front().name(), "0-20 %");
  EXPECT_EQ(parts.back().name(), "80-100 %");
  EXPECT_EQ(parts.front().recall(), 100.0);
  EXPECT_FALSE(words_by_position({{}}, {{}}).front().recall().has_value());
  EXPECT_EQ(position_signature({}).find("nrefs:1|case:mixed|tok:13a|parts:5|version:heed-"), 0u);
}

std::string faults_of(const std::string& hypothesis, const Lines& references,
                      const std::string& source = "some source") {
  std::vector<std::vector<Words>> all;
  for (const std::string& reference : references) all.push_back(words({reference}));
  const Diagnosis diagnosis = diagnose(words({hypothesis}), all, words({source}));
  std::string faults;
  for (const FaultyLines& faulty : diagnosis.faults)
    if (!faulty.lines.empty()) faults += faulty.fault + " ";
  EXPECT_EQ(diagnosis.faulty, faults.empty() ? 0 : 1);
  return faults;
}

TEST(Diagnosis, AnEmptyLineIsAFaultIfTheReferenceIsNot) {
  EXPECT_EQ(faults_of("", {"a b"}), "empty ");
  EXPECT_EQ(faults_of("", {""}), "");
  EXPECT_EQ(faults_of("a b", {"a b"}), "");
}

// The limit for 2 words of the reference is 1.5 * 2 + 5 = 8 words.
TEST(Diagnosis, LongAndShortAreOneRuleFromBothSides) {
  const std::string two = "a b", eight = "a b c d e f g h", nine = eight + " i";
  EXPECT_EQ(faults_of(eight, {two}), "");
  EXPECT_EQ(faults_of(nine, {two}), "long ");
  EXPECT_EQ(faults_of(two, {eight}), "");
  EXPECT_EQ(faults_of(two, {nine}), "short ");
  EXPECT_EQ(faults_of("a b c d e f", {""}), "long ");
  EXPECT_EQ(faults_of("", {nine}), "empty ");
}

TEST(Diagnosis, ThreeTimesInARowIsRepeatedUnlessTheReferenceDoesIt) {
  EXPECT_EQ(faults_of("x a a y", {"x a y"}), "");
  EXPECT_EQ(faults_of("x a a a", {"x a y"}), "repeated ");
  EXPECT_EQ(faults_of("a a a", {"a a a"}), "");
  EXPECT_EQ(faults_of("a a a a", {"a a a"}), "repeated ");
  EXPECT_EQ(faults_of("a b a b a", {"a b"}), "");
  EXPECT_EQ(faults_of("x a b a b a b", {"x a b"}), "repeated ");
  EXPECT_EQ(faults_of("a b c d a b c d a b c d", {"a b c d e f"}), "repeated ");
  EXPECT_EQ(faults_of("a b c d e a b c d e a b c d e", {"a b c d e f g"}), "");
  EXPECT_EQ(faults_of("a b x a b y a b z", {"a b"}), "long ") << "not in a row";
}

TEST(Diagnosis, ACopyIsAFaultUnlessTheReferenceIsOneToo) {
  EXPECT_EQ(faults_of("a  b", {"c d"}, "a b"), "copied ");
  EXPECT_EQ(faults_of("a b", {"a b"}, "a b"), "");
  EXPECT_EQ(faults_of("a b", {"c d"}, "a b c"), "");
  EXPECT_EQ(faults_of("", {"a"}, ""), "empty ");
  EXPECT_EQ(diagnose(words({"a"}), {words({"b"})}).faults.back().fault, "repeated")
      << "without sources nothing is said of copies";
}

TEST(Diagnosis, SoundBesideOneReferenceIsSound) {
  EXPECT_EQ(faults_of("a a a", {"a", "a a a"}), "");
  EXPECT_EQ(faults_of("a a a", {"a", "b"}), "repeated ");
}

TEST(Diagnosis, LinesAreNumberedFromOneAndCountedOnce) {
  const auto diagnosis =
      diagnose(words({"a", "", "b b b b b b b b b", ""}), {words({"a", "a", "b", "c"})});
  EXPECT_EQ(diagnosis.lines, 4);
  EXPECT_EQ(diagnosis.faulty, 3);
  EXPECT_EQ(diagnosis.faults[0].lines, (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(diagnosis.faults[1].lines, std::vector<int64_t>{3});
  EXPECT_EQ(diagnosis.faults[3].lines, std::vector<int64_t>{3});
  EXPECT_EQ(diagnosis_signature({}, 2).find(
                "nrefs:2|case:mixed|tok:13a|long:1.5r+5|short:1.5h+5|repeated:3x1-4|version:heed-"),
            0u);
}

}  // namespace
}  // namespace heed
