// Requests that come at the same time share batches: a queue of sentences, and the one thread that
// translates them. It knows neither sockets nor models.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "decode/translate.h"

namespace heed::serve {

// What of the server's search options a request may choose. Sentences share a batch only where all
// of it is the same.
struct SearchVariant {
  int64_t beam = SearchOptions().beam, nbest = SearchOptions().nbest;
  bool attention = false;  // is kept, of each translation

  friend bool operator==(const SearchVariant&, const SearchVariant&) = default;
};

struct BatcherOptions {
  int64_t most_tokens = 4000;   // source tokens of a batch, </s> counted; one sentence always fits
  int64_t most_waiting = 2000;  // sentences
  std::chrono::milliseconds wait{2};  // for more sentences, before each batch that is not full
};

class Batcher {
 public:
  using Clock = std::chrono::steady_clock;
  using Sentence = std::vector<TokenId>;
  // A translation for each sentence, in their order. Called by the batcher's thread alone.
  using Translate =
      std::function<std::vector<Translation>(const SearchVariant&, std::span<const Sentence>)>;

  Batcher(const BatcherOptions& options, Translate translate);
  ~Batcher();  // stop()
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  // The translations of a request's sentences; waits for them. Any number of threads may ask.
  // Requests get their turn in the order in which they came, those that share a batch a sentence
  // each in turn; one with more sentences than a batch takes waits behind the others for its next
  // batch. Throws HttpError: 503 where too many sentences wait, or after stop(); 504 when the
  // deadline has passed, and what then waits is given up. Rethrows what `translate` threw at these
  // sentences by themselves: those that shared a batch with them don't see it.
  std::vector<Translation> translate(const SearchVariant& variant, std::vector<Sentence> sentences,
                                     Clock::time_point deadline);

  // Takes no more requests, and returns when all that were taken are done. Not for two threads at
  // once.
  void stop();

  int64_t waiting() const;  // sentences that no batch has taken yet

 private:
  struct Job;
  struct Share;
  using Batch = std::vector<Share>;

  void enqueue(const std::shared_ptr<Job>& job);
  void drop(const Job& job);
  void work();
  Batch take();
  int64_t count_shares(Batch& batch) const;
  void run(Batch& batch) const;
  void run_share(Share& share) const;
  void give(Batch& batch);

  const BatcherOptions options_;
  const Translate translate_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;         // all below
  std::deque<std::shared_ptr<Job>> queue_;  // those with sentences that no batch has taken
  int64_t waiting_ = 0, waiting_tokens_ = 0;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace heed::serve
