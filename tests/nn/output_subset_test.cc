// Sessions with shortlists against sessions without.
#include "nn/output_subset.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "decode/random_model.h"
#include "support/source_batch.h"

namespace heed {
namespace {

using test::random_model;
using test::random_sentences;

constexpr int64_t kVocabulary = 150;  // several tiles

Shortlist random_shortlist(std::mt19937& random) {
  Shortlist shortlist = {kUnknown, kStart, kEnd};
  const unsigned share = 1 + random() % 9;
  for (TokenId id = 3; id < kVocabulary; ++id)
    if (random() % 10 < share) shortlist.push_back(id);
  return shortlist;
}

std::vector<Shortlist> random_shortlists(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Shortlist> shortlists;
  while (shortlists.size() < count) shortlists.push_back(random_shortlist(random));
  return shortlists;
}

// The row of the whole vocabulary, renormalised over the shortlist in double.
std::vector<double> renormalised(const Real* row, const Shortlist& shortlist) {
  double sum = 0;
  for (const TokenId id : shortlist) sum += std::exp(static_cast<double>(row[id]));
  std::vector<double> result;
  for (const TokenId id : shortlist) result.push_back(static_cast<double>(row[id]) - std::log(sum));
  return result;
}

// Every row of a step; sentence_of says whose it is.
void expect_renormalised(const StepResult& whole, const StepResult& subset,
                         const std::vector<Shortlist>& shortlists,
                         const std::vector<int32_t>& sentence_of) {
  const int64_t rows = whole.log_probabilities.shape[0];
  const int64_t L = subset.log_probabilities.shape[1];
  ASSERT_EQ(subset.log_probabilities.shape[0], rows);
  for (int64_t r = 0; r < rows; ++r) {
    const auto b = static_cast<size_t>(sentence_of[static_cast<size_t>(r)]);
    const auto expected =
        renormalised(whole.log_probabilities.data + r * kVocabulary, shortlists[b]);
    for (int64_t i = 0; i < L; ++i) {
      const Real found = subset.log_probabilities.data[r * L + i];
      if (i < static_cast<int64_t>(expected.size()))
        ASSERT_NEAR(found, expected[static_cast<size_t>(i)], 2e-5) << "row " << r;
      else
        ASSERT_TRUE(std::isinf(found) && found < 0);
    }
  }
}

// 70 sentences are several groups. Steps, more and fewer rows and sentences without any, as
// in a search.
void expect_subset_of_whole(Model& model) {
  const auto sentences = random_sentences(70, 6, kVocabulary);
  const auto shortlists = random_shortlists(sentences.size(), 3);
  const Batch batch = make_source_batch(sentences);
  const auto whole = model.start(batch), subset = model.start(batch, shortlists);
  std::vector<int32_t> counts(sentences.size(), 1);
  std::mt19937 random(5);
  for (int t = 0; t < 5; ++t) {
    std::vector<int32_t> sentence_of, from;
    for (size_t b = 0; b < counts.size(); ++b)
      sentence_of.insert(sentence_of.end(), static_cast<size_t>(counts[b]),
                         static_cast<int32_t>(b));
    std::vector<TokenId> previous;
    for (size_t row = 0; row < sentence_of.size(); ++row)
      previous.push_back(static_cast<TokenId>(3 + random() % (kVocabulary - 3)));
    expect_renormalised(whole->step(previous), subset->step(previous), shortlists, sentence_of);
    for (int32_t first = 0; int32_t & count : counts) {
      const int32_t before =
          std::exchange(count, count == 0 ? 0 : static_cast<int32_t>(random() % 4));
      for (int32_t j = 0; j < count; ++j) from.push_back(first + j % before);
      first += before;
    }
    for (DecoderSession* session : {whole.get(), subset.get()}) session->reorder(from, counts);
  }
}

TEST(OutputSubset, IsTheWholeVocabularyRenormalised) {
  for (const auto precision :
       {kernels::Precision::f32, kernels::Precision::bf16, kernels::Precision::int8}) {
    if (!kernels::has_precision(precision)) continue;
    auto model = random_model({.vocabulary = kVocabulary, .scale = 1});
    model->parameters().set_precision(precision);
    expect_subset_of_whole(*model);
  }
}

TEST(OutputSubset, OfATiedEmbeddingToo) {
  ModelConfig config = random_model({})->config();
  config.tied_embeddings = "target";
  Model model(config, kVocabulary, kVocabulary);
  model.initialise(2, false);
  expect_subset_of_whole(model);
}

// One step of each sentence's first token.
std::vector<std::vector<Real>> first_rows(Model& model,
                                          const std::vector<std::vector<TokenId>>& sentences,
                                          const std::vector<Shortlist>& shortlists) {
  const auto session = model.start(make_source_batch(sentences), shortlists);
  const Tensor p = session->step(std::vector<TokenId>(sentences.size(), kStart)).log_probabilities;
  std::vector<std::vector<Real>> rows;
  for (size_t b = 0; b < sentences.size(); ++b) {
    const Real* row = p.data + static_cast<int64_t>(b) * p.shape[1];
    rows.emplace_back(row, row + shortlists[b].size());
  }
  return rows;
}

TEST(OutputSubset, NoBatchChangesASentencesRow) {
  auto model = random_model({.vocabulary = kVocabulary});
  rc::check([&model] {
    const auto seed = *rc::gen::arbitrary<unsigned>();
    const auto count = *rc::gen::inRange<size_t>(1, 80);
    const auto sentences = random_sentences(count, 7, kVocabulary, seed);
    const auto shortlists = random_shortlists(count, seed);
    const auto together = first_rows(*model, sentences, shortlists);
    const auto b = *rc::gen::inRange<size_t>(0, count);
    const auto alone = first_rows(*model, {sentences[b]}, {shortlists[b]});
    RC_ASSERT(alone[0].size() == together[b].size());
    for (size_t i = 0; i < alone[0].size(); ++i)
      RC_ASSERT(std::abs(alone[0][i] - together[b][i]) <=
                1e-5 * std::max(1.0, std::abs(static_cast<double>(alone[0][i]))));
  });
}

TEST(OutputSubset, ShortlistsMustFitTheBatchAndTheVocabulary) {
  auto model = random_model({.vocabulary = kVocabulary});
  const Batch batch = make_source_batch(random_sentences(2, 3, kVocabulary));
  const Shortlist good = {0, 1, 2, 5};
  EXPECT_THROW(model->start(batch, std::vector<Shortlist>{good}), InternalError);
  for (const Shortlist& bad : {Shortlist{}, Shortlist{2, 5}, Shortlist{0, 1, 2, 5, 5},
                               Shortlist{0, 1, 2, 150}, Shortlist{0, 1, 2, 7, 6}})
    EXPECT_THROW(model->start(batch, std::vector<Shortlist>{good, bad}), InternalError);
}

}  // namespace
}  // namespace heed
