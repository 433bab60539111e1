// Lets concurrent requests share batches: a queue of sentences and the one thread that translates
// them. It knows neither sockets nor models.
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

// The search options that a request can choose. Sentences share a batch only if all of
// these are equal.
struct SearchVariant {
  int64_t beam = SearchOptions().beam, nbest = SearchOptions().nbest;
  bool attention = false;  // keep the attention of each translation

  friend bool operator==(const SearchVariant&, const SearchVariant&) = default;
};

struct BatcherOptions {
  int64_t most_tokens = 4000;   // source tokens of a batch, </s> included; one sentence always fits
  int64_t most_waiting = 2000;  // sentences
  // how long to wait for more sentences before starting a batch that is not full
  std::chrono::milliseconds wait{2};
};

class Batcher {
 public:
  using Clock = std::chrono::steady_clock;
  using Sentence = std::vector<TokenId>;
  // Returns one translation per sentence, in order. Called only by the batcher's thread.
  using Translate =
      std::function<std::vector<Translation>(const SearchVariant&, std::span<const Sentence>)>;

  Batcher(const BatcherOptions& options, Translate translate);
  ~Batcher();  // stop()
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  // Translates the sentences of a request and waits for the result. Any number of threads may call
  // it. Requests are served in order of arrival; those in the same batch contribute one sentence
  // each in turn, and the remaining sentences of a request go to the end of the queue. Throws
  // HttpError 503 if too many sentences are waiting or after stop(), and 504 when the deadline has
  // passed; sentences still waiting are then dropped. Rethrows what `translate` throws for these
  // sentences alone: other requests of the same batch are not affected.
  std::vector<Translation> translate(const SearchVariant& variant, std::vector<Sentence> sentences,
                                     Clock::time_point deadline);

  // Accepts no more requests and returns when all accepted ones are finished. Only one thread
  // may call it.
  void stop();

  int64_t waiting() const;  // sentences that are in no batch yet

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
  std::condition_variable changed_;         // refers to all members below
  std::deque<std::shared_ptr<Job>> queue_;  // jobs with sentences that are in no batch yet
  int64_t waiting_ = 0, waiting_tokens_ = 0;
  bool stopping_ = false;
  std::thread thread_;  // last: the thread uses the other members
};

}  // namespace heed::serve
