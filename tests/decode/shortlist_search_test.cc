// Searches over shortlists.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "decode/random_model.h"
#include "decode/translate.h"
#include "support/temp_dir.h"
#include "text/word_vocabulary.h"

namespace heed {
namespace {

using test::random_model;
using test::random_sentences;
using Ids = std::vector<TokenId>;

constexpr int64_t kVocabulary = 40;

class ShortlistSearch : public ::testing::Test {
 protected:
  ShortlistSearch() {
    std::mt19937 random(9);
    std::string lines;
    for (int64_t s = 3; s < kVocabulary; ++s)
      for (int i = 0; i < 4; ++i)
        lines += word(3 + random() % (kVocabulary - 3)) + " " + word(static_cast<size_t>(s)) +
                 " 0." + std::to_string(1 + random() % 9) + "\n";
    path_ = dir_.write("lex", lines);
  }

  static std::string word(size_t id) { return "w" + std::to_string(id); }
  static std::vector<std::string> words() {
    std::vector<std::string> all;
    for (size_t id = 3; id < kVocabulary; ++id) all.push_back(word(id));
    return all;
  }
  Shortlister shortlister(int64_t frequent, int64_t candidates) const {
    return {path_, source_, target_, {frequent, candidates}};
  }
  static SearchOptions options(int64_t beam, const Shortlister* shortlister) {
    SearchOptions options;
    options.beam = options.nbest = beam;
    options.constraints.max_length_ratio = 1;
    options.constraints.max_length_extra = 3;
    options.shortlister = shortlister;
    return options;
  }

  test::TempDir dir_;
  std::string path_;
  WordVocabulary source_{words(), false}, target_{words(), false};
  std::unique_ptr<Model> model_ = random_model({.vocabulary = kVocabulary});
  std::vector<Ids> sources_ = random_sentences(90, 9, kVocabulary);
};

TEST_F(ShortlistSearch, OverTheWholeVocabularyIsTheSearchWithoutOne) {
  const Shortlister whole = shortlister(kVocabulary, 1);
  for (const auto precision :
       {kernels::Precision::f32, kernels::Precision::bf16, kernels::Precision::int8}) {
    if (!kernels::has_precision(precision)) continue;
    model_->parameters().set_precision(precision);
    const auto expected = translate_batchwise(*model_, sources_, options(3, nullptr));
    const auto found = translate_batchwise(*model_, sources_, options(3, &whole));
    for (size_t i = 0; i < sources_.size(); ++i) {
      ASSERT_EQ(found[i].nbest.size(), expected[i].nbest.size());
      for (size_t n = 0; n < found[i].nbest.size(); ++n) {
        EXPECT_EQ(found[i].nbest[n].ids, expected[i].nbest[n].ids);
        EXPECT_NEAR(found[i].nbest[n].score, expected[i].nbest[n].score, 1e-4);
      }
    }
  }
}

TEST_F(ShortlistSearch, ProducesNothingElse) {
  const Shortlister some = shortlister(2, 2);
  for (const int64_t beam : {1, 4}) {
    const auto found = translate_batchwise(*model_, sources_, options(beam, &some));
    for (size_t i = 0; i < sources_.size(); ++i) {
      const Shortlist shortlist = some.of(sources_[i]);
      for (const Hypothesis& hypothesis : found[i].nbest)
        for (const TokenId id : hypothesis.ids) {
          EXPECT_TRUE(std::binary_search(shortlist.begin(), shortlist.end(), id));
          EXPECT_GT(id, kEnd);
        }
    }
  }
}

TEST_F(ShortlistSearch, WithoutAnyCandidateTranslatesToNothing) {
  const Shortlister none = shortlister(0, 1);
  const auto found = translate_batchwise(*model_, std::vector<Ids>{{kUnknown}}, options(4, &none));
  ASSERT_EQ(found[0].nbest.size(), 1U);
  EXPECT_TRUE(found[0].best().ids.empty());
  EXPECT_TRUE(std::isfinite(found[0].best().log_probability));
}

TEST_F(ShortlistSearch, NoBatchSizeOrderOrNumberOfThreadsChangesIt) {
  const Shortlister some = shortlister(3, 2);
  const auto expected = translate_batchwise(*model_, sources_, options(3, &some));
  const auto expect_same = [&](const std::vector<Translation>& found, bool reversed) {
    for (size_t i = 0; i < sources_.size(); ++i) {
      const auto& other = found[reversed ? sources_.size() - 1 - i : i].nbest;
      ASSERT_EQ(other.size(), expected[i].nbest.size());
      for (size_t n = 0; n < other.size(); ++n) {
        EXPECT_EQ(other[n].ids, expected[i].nbest[n].ids);
        EXPECT_NEAR(other[n].score, expected[i].nbest[n].score, 1e-4);
      }
    }
  };
  for (const int64_t batch_tokens : {1, 17, 60, 333})
    expect_same(translate_batchwise(*model_, sources_, options(3, &some), batch_tokens), false);
  const std::vector<Ids> reversed(sources_.rbegin(), sources_.rend());
  expect_same(translate_batchwise(*model_, reversed, options(3, &some), 100), true);
  const auto run = [&](int threads) {  // several sessions at once
    set_threads(threads);
    auto found = translate_batchwise(*model_, sources_, options(3, &some), 60);
    set_threads(0);
    return found;
  };
  const auto one = run(1), two = run(2);
  for (size_t i = 0; i < sources_.size(); ++i)
    for (size_t n = 0; n < one[i].nbest.size(); ++n)
      EXPECT_EQ(one[i].nbest[n].score, two[i].nbest[n].score);
}

}  // namespace
}  // namespace heed
