#include "text/lexicon.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "base/random.h"
#include "support/golden.h"
#include "text/word_vocabulary.h"

namespace heed {
namespace {

// A toy corpus with a vocabulary of its words for each side.
struct Toy {
  std::vector<std::string> source_words, target_words;
  std::unique_ptr<WordVocabulary> source, target;
  Corpus corpus;

  explicit Toy(const std::vector<std::pair<std::string, std::string>>& pairs) {
    for (const auto& [s, t] : pairs) {
      collect(s, source_words);
      collect(t, target_words);
    }
    source = std::make_unique<WordVocabulary>(source_words, false);
    target = std::make_unique<WordVocabulary>(target_words, false);
    for (const auto& [s, t] : pairs) corpus.add(source->encode(s), target->encode(t));
  }

  static void collect(const std::string& line, std::vector<std::string>& words) {
    for (const std::string_view word : split_words(line))
      if (std::find(words.begin(), words.end(), word) == words.end()) words.emplace_back(word);
  }

  std::vector<LexiconRow> train(const LexiconOptions& options) const {
    return train_lexicon(corpus, source->size(), target->size(), options);
  }
};

double probability(const LexiconRow& row, TokenId target) {
  for (size_t i = 0; i < row.targets.size(); ++i)
    if (row.targets[i] == target) return row.probabilities[i];
  return 0;
}

TEST(Lexicon, IsModelOneAsEnumeratedAlignmentsGiveIt) {
  const test::Golden golden = test::load_golden("lexicon");
  for (const auto& json : golden.at("cases")) {
    const Toy toy(json.at("pairs").get<std::vector<std::pair<std::string, std::string>>>());
    const bool null = json.at("null");
    const auto lexicon = toy.train({golden.at("iterations"), null});
    const auto& table = json.at("table");
    for (const auto& [word, row] : table.items()) {
      const TokenId source = word == "NULL" ? kNullSource : toy.source->encode(word)[0];
      const LexiconRow& found = lexicon[static_cast<size_t>(source)];
      EXPECT_EQ(found.targets.size(), row.size());
      for (const auto& [target, expected] : row.items())
        EXPECT_NEAR(probability(found, toy.target->encode(target)[0]), expected.get<double>(),
                    1e-12)
            << json.at("name") << ": " << word << " " << target;
    }
    if (!null) {
      EXPECT_TRUE(lexicon[kNullSource].targets.empty());
    }
  }
}

// Koehn, Statistical Machine Translation (2010), figure 4.4: without NULL.
TEST(Lexicon, IsTheTextbooksExample) {
  const Toy toy({{"das Haus", "the house"}, {"das Buch", "the book"}, {"ein Buch", "a book"}});
  const auto das = static_cast<size_t>(toy.source->encode("das")[0]);
  const TokenId the = toy.target->encode("the")[0], house = toy.target->encode("house")[0],
                book = toy.target->encode("book")[0];
  const double expected[3][3] = {
      {0.5, 0.25, 0.25}, {0.6364, 0.1818, 0.1818}, {0.7479, 0.1313, 0.1208}};
  for (int iterations = 1; iterations <= 3; ++iterations) {
    const LexiconRow row = toy.train({iterations, false})[das];
    EXPECT_NEAR(probability(row, the), expected[iterations - 1][0], 5e-5);
    EXPECT_NEAR(probability(row, house), expected[iterations - 1][1], 5e-5);
    EXPECT_NEAR(probability(row, book), expected[iterations - 1][2], 5e-5);
  }
}

Corpus random_corpus(int64_t pairs, int64_t vocabulary) {
  Random random(11);
  Corpus corpus;
  const auto sentence = [&] {
    std::vector<TokenId> ids(1 + random.below(9));
    for (TokenId& id : ids)
      id = static_cast<TokenId>(3 + random.below(static_cast<uint64_t>(vocabulary - 3)));
    return ids;
  };
  for (int64_t i = 0; i < pairs; ++i) {
    const auto source = sentence();
    corpus.add(source, sentence());
  }
  return corpus;
}

TEST(Lexicon, RowsAreDistributionsOverAscendingTargets) {
  const auto lexicon = train_lexicon(random_corpus(300, 40), 50, 40, {});
  ASSERT_EQ(lexicon.size(), 50U);
  for (size_t source = 0; source < lexicon.size(); ++source) {
    const LexiconRow& row = lexicon[source];
    EXPECT_EQ(row.targets.size(), row.probabilities.size());
    EXPECT_TRUE(std::is_sorted(row.targets.begin(), row.targets.end()));
    const bool occurs = source == kNullSource || (source >= 3 && source < 40);
    EXPECT_EQ(row.targets.empty(), !occurs);
    const double sum = std::accumulate(row.probabilities.begin(), row.probabilities.end(), 0.0);
    EXPECT_NEAR(sum, occurs ? 1 : 0, 1e-12);
  }
}

TEST(Lexicon, TheSameBitsForAnyNumberOfThreads) {
  const Corpus corpus = random_corpus(5000, 200);  // several chunks of pairs and of pieces
  set_threads(1);
  const auto one = train_lexicon(corpus, 200, 200, {});
  set_threads(2);
  const auto two = train_lexicon(corpus, 200, 200, {});
  set_threads(0);
  for (size_t source = 0; source < one.size(); ++source) {
    EXPECT_EQ(one[source].targets, two[source].targets);
    EXPECT_EQ(one[source].probabilities, two[source].probabilities);
  }
}

}  // namespace
}  // namespace heed
