#include "serve/batcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <random>
#include <stdexcept>

#include "base/error.h"
#include "serve/http_error.h"

namespace heed::serve {
namespace {

using Sentence = Batcher::Sentence;
using Sentences = std::vector<Sentence>;
using std::chrono::milliseconds;

constexpr TokenId kPoison = 13;

// Translates each sentence to its reverse. Each batch waits until the test lets it through.
class Fake {
 public:
  std::vector<Translation> operator()(const SearchVariant& variant,
                                      std::span<const Sentence> sentences) {
    std::unique_lock lock(mutex_);
    batches_.emplace_back(sentences.begin(), sentences.end());
    variants_.push_back(variant);
    changed_.notify_all();
    changed_.wait(lock, [this] { return may_pass_ > 0; });
    --may_pass_;
    std::vector<Translation> results;
    for (const Sentence& sentence : sentences) {
      if (std::count(sentence.begin(), sentence.end(), kPoison) > 0) throw UserError("poison");
      results.push_back({{Hypothesis{}}});
      results.back().nbest[0].ids.assign(sentence.rbegin(), sentence.rend());
    }
    return results;
  }

  void let_through(int batches) {
    const std::lock_guard lock(mutex_);
    may_pass_ += batches;
    changed_.notify_all();
  }
  void let_all_through() { let_through(1'000'000); }
  void wait_for_batches(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return batches_.size() >= count; });
  }
  std::vector<Sentences> batches() const {
    const std::lock_guard lock(mutex_);
    return batches_;
  }
  std::vector<SearchVariant> variants() const {
    const std::lock_guard lock(mutex_);
    return variants_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Sentences> batches_;
  std::vector<SearchVariant> variants_;
  int may_pass_ = 0;
};

using Result = std::future<std::vector<Translation>>;

Sentences ids_of(Result& result) {
  Sentences all;
  for (const Translation& translation : result.get()) all.push_back(translation.best().ids);
  return all;
}

template <typename F>
int status_of(const F& f) {
  try {
    f();
  } catch (const HttpError& error) {
    return error.status();
  }
  return 200;
}

class Batches : public ::testing::Test {
 protected:
  void start(const BatcherOptions& options = {}) {
    batcher_ = std::make_unique<Batcher>(
        options, [this](const SearchVariant& variant, std::span<const Sentence> sentences) {
          return fake_(variant, sentences);
        });
  }
  ~Batches() override { fake_.let_all_through(); }

  static Batcher::Clock::time_point in(milliseconds time) { return Batcher::Clock::now() + time; }

  // Sends a request from a thread of its own.
  Result ask_freely(const Sentences& sentences, const SearchVariant& variant = {}) {
    return std::async(std::launch::async, [this, sentences, variant] {
      return batcher_->translate(variant, sentences, in(milliseconds(60'000)));
    });
  }
  // Sends a request and waits until it is in the queue, while no batch can take it.
  Result ask(const Sentences& sentences, const SearchVariant& variant = {}) {
    const int64_t before = batcher_->waiting();
    Result result = ask_freely(sentences, variant);
    while (batcher_->waiting() < before + std::ssize(sentences)) std::this_thread::yield();
    return result;
  }
  // Sends a first request whose batch does not end, so that later ones wait.
  Result block() {
    Result result = std::async(std::launch::async, [this] {
      return batcher_->translate({}, {{99}}, in(milliseconds(60'000)));
    });
    fake_.wait_for_batches(1);
    return result;
  }

  Fake fake_;
  std::unique_ptr<Batcher> batcher_;
};

TEST_F(Batches, AreSharedByRequestsThatComeWhileOneIsTranslated) {
  start();
  Result first = block();
  Result second = ask({{1, 2}, {3}}), third = ask({{4, 5}}), fourth = ask({{6}});
  fake_.let_all_through();
  EXPECT_EQ(ids_of(first), (Sentences{{99}}));
  EXPECT_EQ(ids_of(second), (Sentences{{2, 1}, {3}}));
  EXPECT_EQ(ids_of(third), (Sentences{{5, 4}}));
  EXPECT_EQ(ids_of(fourth), (Sentences{{6}}));
  EXPECT_EQ(fake_.batches(), (std::vector<Sentences>{{{99}}, {{1, 2}, {3}, {4, 5}, {6}}}));
}

TEST_F(Batches, WaitForMoreUntilTheyAreFull) {
  start({.most_tokens = 5, .wait = milliseconds(60'000)});
  fake_.let_all_through();
  Result first = ask({{1, 2}}), second = ask_freely({{3}});  // 3 and 2 tokens with </s>
  EXPECT_EQ(ids_of(first), (Sentences{{2, 1}}));
  EXPECT_EQ(ids_of(second), (Sentences{{3}}));
  EXPECT_EQ(fake_.batches().size(), 1U);
}

TEST_F(Batches, AreNotMixedOfDifferentOptions) {
  start();
  Result first = block();
  const SearchVariant wide{10, 1, false}, with_attention{5, 1, true};
  Result a = ask({{1}}), b = ask({{2}}, wide), c = ask({{3}}), d = ask({{4}}, with_attention),
         e = ask({{5}}, wide);
  fake_.let_all_through();
  for (Result* result : {&first, &a, &b, &c, &d, &e}) result->wait();
  EXPECT_EQ(fake_.batches(), (std::vector<Sentences>{{{99}}, {{1}, {3}}, {{2}, {5}}, {{4}}}));
  EXPECT_EQ(fake_.variants()[2], wide);
  EXPECT_EQ(fake_.variants()[3], with_attention);
}

TEST_F(Batches, HaveNoMoreTokensThanAllowedButAtLeastOneSentence) {
  start({.most_tokens = 10});
  Result first = block();
  const Sentence four = {1, 2, 3, 4};  // 5 tokens with </s>
  Result a = ask({four, four, four}), b = ask({Sentence(50, 7)}), c = ask({{8}});
  fake_.let_all_through();
  EXPECT_EQ(ids_of(a).size(), 3U);
  EXPECT_EQ(ids_of(b), (Sentences{Sentence(50, 7)}));
  EXPECT_EQ(ids_of(c), (Sentences{{8}}));
  for (const Sentences& batch : fake_.batches()) {
    size_t tokens = 0;
    for (const Sentence& sentence : batch) tokens += sentence.size() + 1;
    EXPECT_TRUE(tokens <= 10 || batch.size() == 1) << tokens;
  }
}

TEST_F(Batches, LetASmallRequestShareTheFirstBatchOfALargeOne) {
  start({.most_tokens = 4});
  Result first = block();
  Result large = ask({{1}, {2}, {3}}), small = ask({{4}});
  fake_.let_through(2);
  EXPECT_EQ(ids_of(small), (Sentences{{4}}));
  fake_.let_all_through();
  EXPECT_EQ(ids_of(large), (Sentences{{1}, {2}, {3}}));
  EXPECT_EQ(fake_.batches(), (std::vector<Sentences>{{{99}}, {{1}, {4}}, {{2}, {3}}}));
}

TEST_F(Batches, OfALargeRequestTakeTurnsWithOtherOptions) {
  start({.most_tokens = 4});
  Result first = block();
  Result large = ask({{1}, {2}, {3}, {4}, {5}}), other = ask({{6}}, {1, 1, false});
  fake_.let_all_through();
  EXPECT_EQ(ids_of(large), (Sentences{{1}, {2}, {3}, {4}, {5}}));
  EXPECT_EQ(ids_of(other), (Sentences{{6}}));
  EXPECT_EQ(fake_.batches(),
            (std::vector<Sentences>{{{99}}, {{1}, {2}}, {{6}}, {{3}, {4}}, {{5}}}));
}

TEST_F(Batches, RefuseWhatWouldWaitBeyondTheLimit) {
  start({.most_waiting = 3});
  Result first = block();
  Result waits = ask({{1}, {2}});
  const auto two_more = [this] { batcher_->translate({}, {{3}, {4}}, in(milliseconds(60'000))); };
  EXPECT_EQ(status_of(two_more), 503);
  Result fits = ask({{5}});
  EXPECT_EQ(batcher_->waiting(), 3);
  fake_.let_all_through();
  EXPECT_EQ(ids_of(waits).size(), 2U);
  EXPECT_EQ(ids_of(fits).size(), 1U);
  EXPECT_EQ(batcher_->waiting(), 0);
  EXPECT_EQ(status_of(two_more), 200);
}

TEST_F(Batches, AreSparedWhatHasWaitedTooLong) {
  start();
  Result first = block();
  EXPECT_EQ(status_of([this] { batcher_->translate({}, {{1}, {2}}, in(milliseconds(10))); }), 504);
  EXPECT_EQ(batcher_->waiting(), 0);
  fake_.let_all_through();
  first.wait();
  Result next = ask_freely({{3}});
  EXPECT_EQ(ids_of(next), (Sentences{{3}}));
  EXPECT_EQ(fake_.batches(), (std::vector<Sentences>{{{99}}, {{3}}}));
}

TEST_F(Batches, OfARequestThatGaveUpGoToNobody) {
  start();
  EXPECT_EQ(status_of([this] { batcher_->translate({}, {{1}}, in(milliseconds(10))); }), 504);
  fake_.let_all_through();
  Result next = ask_freely({{2}});
  EXPECT_EQ(ids_of(next), (Sentences{{2}}));
}

TEST_F(Batches, ThatFailDoSoOnlyForTheRequestAtFault) {
  start();
  Result first = block();
  Result good = ask({{1, 2}}), bad = ask({{3}, {kPoison}}), other = ask({{4}});
  fake_.let_all_through();
  EXPECT_EQ(ids_of(good), (Sentences{{2, 1}}));
  EXPECT_EQ(ids_of(other), (Sentences{{4}}));
  EXPECT_THROW(bad.get(), UserError);
  Result later = ask_freely({{5}});
  EXPECT_EQ(ids_of(later), (Sentences{{5}}));
}

TEST_F(Batches, ThatFailGiveUpTheRestOfTheirRequest) {
  start({.most_tokens = 2});
  fake_.let_all_through();
  const auto request = [this] {
    batcher_->translate({}, {{kPoison}, {1}, {2}}, in(milliseconds(60'000)));
  };
  EXPECT_THROW(request(), UserError);
  EXPECT_EQ(batcher_->waiting(), 0);
}

TEST_F(Batches, OfTheWrongSizeAreAnError) {
  Batcher batcher({}, [](const SearchVariant&, std::span<const Sentence>) {
    return std::vector<Translation>{};
  });
  EXPECT_THROW(batcher.translate({}, {{1}}, in(milliseconds(60'000))), InternalError);
}

TEST_F(Batches, AreFinishedBeforeItStopsAndThenRefused) {
  start({.most_tokens = 2});
  Result first = block();
  Result second = ask({{1}, {2}});
  std::thread stopping([this] { batcher_->stop(); });
  fake_.let_all_through();
  stopping.join();
  EXPECT_EQ(ids_of(first), (Sentences{{99}}));
  EXPECT_EQ(ids_of(second), (Sentences{{1}, {2}}));
  EXPECT_EQ(status_of([this] { batcher_->translate({}, {{1}}, in(milliseconds(60'000))); }), 503);
}

TEST_F(Batches, OfNothingAreNone) {
  start();
  EXPECT_TRUE(batcher_->translate({}, {}, in(milliseconds(0))).empty());
  EXPECT_TRUE(fake_.batches().empty());
}

TEST_F(Batches, OfManyThreadsGiveEachItsOwn) {
  start({.most_tokens = 30, .most_waiting = 100'000, .wait = milliseconds(0)});
  fake_.let_all_through();
  const auto client = [this](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 100; ++i) {
      Sentences sentences(1 + random() % 5), reversed;
      for (Sentence& sentence : sentences) {
        sentence.resize(random() % 9);
        for (TokenId& id : sentence) id = static_cast<TokenId>(14 + random() % 1000);
        reversed.emplace_back(sentence.rbegin(), sentence.rend());
      }
      const SearchVariant variant{1 + static_cast<int64_t>(random() % 2), 1, false};
      const auto results = batcher_->translate(variant, sentences, in(milliseconds(60'000)));
      for (size_t s = 0; s < results.size(); ++s)
        if (results[s].best().ids != reversed[s]) return false;
    }
    return true;
  };
  std::vector<std::future<bool>> clients;
  for (unsigned seed = 0; seed < 8; ++seed)
    clients.push_back(std::async(std::launch::async, client, seed));
  for (auto& right : clients) EXPECT_TRUE(right.get());
}

}  // namespace
}  // namespace heed::serve
