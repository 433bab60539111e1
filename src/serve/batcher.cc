#include "serve/batcher.h"

#include <algorithm>
#include <exception>
#include <iterator>

#include "base/error.h"
#include "serve/http_error.h"

namespace heed::serve {
namespace {

int64_t tokens_of(const Batcher::Sentence& sentence) { return std::ssize(sentence) + 1; }

}  // namespace

// A request. The batcher's mutex guards all members.
struct Batcher::Job {
  SearchVariant variant;
  std::vector<Sentence> sentences;
  size_t taken = 0;  // how many sentences are in batches; these are moved from
  size_t done = 0;
  std::vector<Translation> results;
  std::exception_ptr error;
  std::condition_variable ended;

  bool has_ended() const { return error != nullptr || done == sentences.size(); }
  bool is_taken() const { return taken == sentences.size(); }
};

// The part of a batch that belongs to one job: `count` sentences from `begin` on.
struct Batcher::Share {
  std::shared_ptr<Job> job;
  size_t begin = 0, count = 0;
  SearchVariant variant;
  std::vector<Sentence> sentences;
  std::vector<Translation> results;
  std::exception_ptr error;
};

Batcher::Batcher(const BatcherOptions& options, Translate translate)
    : options_(options), translate_(std::move(translate)), thread_([this] { work(); }) {}

Batcher::~Batcher() { stop(); }

void Batcher::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

int64_t Batcher::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

std::vector<Translation> Batcher::translate(const SearchVariant& variant,
                                            std::vector<Sentence> sentences,
                                            Clock::time_point deadline) {
  if (sentences.empty()) return {};
  const auto job = std::make_shared<Job>();
  job->variant = variant;
  job->results.resize(sentences.size());
  job->sentences = std::move(sentences);
  std::unique_lock lock(mutex_);
  enqueue(job);
  if (!job->ended.wait_until(lock, deadline, [&job] { return job->has_ended(); })) {
    drop(*job);
    refuse(504, "the translation took too long: send fewer or shorter texts, or try again later");
  }
  if (job->error) std::rethrow_exception(job->error);
  return std::move(job->results);
}

void Batcher::enqueue(const std::shared_ptr<Job>& job) {
  if (stopping_) refuse(503, "the server is being stopped: try again later");
  const int64_t count = std::ssize(job->sentences);
  if (waiting_ + count > options_.most_waiting)
    refuse(503, "{} sentences are waiting to be translated, at most {} can: try again later",
           waiting_, options_.most_waiting);
  waiting_ += count;
  for (const Sentence& sentence : job->sentences) waiting_tokens_ += tokens_of(sentence);
  queue_.push_back(job);
  changed_.notify_all();
}

// Drops the sentences that are in no batch yet.
void Batcher::drop(const Job& job) {
  const auto same = [&job](const std::shared_ptr<Job>& other) { return other.get() == &job; };
  const auto found = std::find_if(queue_.begin(), queue_.end(), same);
  if (found == queue_.end()) return;
  queue_.erase(found);
  for (size_t i = job.taken; i < job.sentences.size(); ++i) {
    --waiting_;
    waiting_tokens_ -= tokens_of(job.sentences[i]);
  }
}

void Batcher::work() {
  std::unique_lock lock(mutex_);
  const auto something = [this] { return stopping_ || !queue_.empty(); };
  const auto enough = [this] { return stopping_ || waiting_tokens_ >= options_.most_tokens; };
  while (true) {
    changed_.wait(lock, something);
    if (queue_.empty()) return;
    changed_.wait_until(lock, Clock::now() + options_.wait, enough);
    if (queue_.empty()) continue;  // its deadline has passed meanwhile
    Batch batch = take();
    lock.unlock();
    run(batch);
    lock.lock();
    give(batch);
  }
}

// Determines how many sentences of each job go into the batch: one each in turn until it is full.
// Returns their number of tokens.
int64_t Batcher::count_shares(Batch& batch) const {
  int64_t tokens = 0;
  for (bool more = true; more;) {
    more = false;
    for (Share& share : batch) {
      const size_t next = share.begin + share.count;
      if (next == share.job->sentences.size()) continue;
      const int64_t size = tokens_of(share.job->sentences[next]);
      if (tokens > 0 && tokens + size > options_.most_tokens) return tokens;
      tokens += size;
      ++share.count;
      more = true;
    }
  }
  return tokens;
}

Batcher::Batch Batcher::take() {
  const SearchVariant variant = queue_.front()->variant;
  Batch batch;
  for (const auto& job : queue_)
    if (job->variant == variant) batch.push_back({job, job->taken, 0, variant, {}, {}, {}});
  waiting_tokens_ -= count_shares(batch);
  std::erase_if(batch, [](const Share& share) { return share.count == 0; });
  for (Share& share : batch) {
    Job& job = *share.job;
    const auto begin = job.sentences.begin() + static_cast<std::ptrdiff_t>(share.begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(share.count);
    share.sentences.assign(std::move_iterator(begin), std::move_iterator(end));
    job.taken += share.count;
    waiting_ -= static_cast<int64_t>(share.count);
    std::erase(queue_, share.job);
    if (!job.is_taken()) queue_.push_back(share.job);
  }
  return batch;
}

void Batcher::run_share(Share& share) const {
  try {
    share.results = translate_(share.variant, share.sentences);
    check(share.results.size() == share.sentences.size(),
          "[Batcher] a translation for each sentence. Received {} for {}", share.results.size(),
          share.sentences.size());
  } catch (...) {
    share.error = std::current_exception();
  }
}

void Batcher::run(Batch& batch) const {
  if (batch.size() == 1) return run_share(batch[0]);
  Share all;
  all.variant = batch[0].variant;
  for (const Share& share : batch)
    all.sentences.insert(all.sentences.end(), share.sentences.begin(), share.sentences.end());
  run_share(all);
  if (all.error) {
    for (Share& share : batch) run_share(share);
    return;
  }
  auto next = all.results.begin();
  for (Share& share : batch) {
    const auto end = next + static_cast<std::ptrdiff_t>(share.count);
    share.results.assign(std::move_iterator(next), std::move_iterator(end));
    next = end;
  }
}

void Batcher::give(Batch& batch) {
  for (Share& share : batch) {
    Job& job = *share.job;
    if (share.error) {
      drop(job);
      job.error = share.error;
    } else {
      std::move(share.results.begin(), share.results.end(),
                job.results.begin() + static_cast<std::ptrdiff_t>(share.begin));
      job.done += share.count;
    }
    if (job.has_ended()) job.ended.notify_all();
  }
}

}  // namespace heed::serve
