#include "text/epoch_order.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace heed {
namespace {

// About how many pairs pool_batches batches hold.
int64_t pool_size(const Corpus& corpus, const BatchOptions& options) {
  const int64_t batches = std::max<int64_t>(1, options.pool_batches);
  if (options.batch_sentences > 0) return batches * options.batch_sentences;
  const double pairs =
      static_cast<double>(batches * options.batch_tokens) / std::max(1.0, corpus.mean_length());
  return std::max<int64_t>(1, static_cast<int64_t>(pairs));
}

}  // namespace

EpochOrder::EpochOrder(const Corpus& corpus, const BatchOptions& options, uint64_t seed,
                       uint64_t epoch)
    : corpus_(corpus),
      options_(options),
      permutation_(static_cast<uint64_t>(corpus.size()), mix(seed, epoch)),
      random_(seed, mix(epoch, 0x626174636865ULL)),  // a stream of its own: "batche"
      pool_pairs_(std::min(pool_size(corpus, options), std::max<int64_t>(1, corpus.size()))) {}

std::vector<int64_t> EpochOrder::next() {
  check(!at_end(), "[EpochOrder::next] batches are left");
  if (next_in_group_ == group_.size()) make_group();
  look_up(look_ups_);
  std::vector<int64_t> batch = std::move(group_[next_in_group_++]);
  pairs_done_ += static_cast<int64_t>(batch.size());
  return batch;
}

void EpochOrder::skip(int64_t batches) {
  for (int64_t i = 0; i < batches; ++i) next();
}

void EpochOrder::look_up(int64_t pairs) {
  const int64_t room = kGroupPools * pool_pairs_ - static_cast<int64_t>(ahead_.size());
  const int64_t end = looked_up_ + std::min({pairs, room, corpus_.size() - looked_up_});
  for (; looked_up_ < end; ++looked_up_) {
    const auto pair = permutation_(static_cast<uint64_t>(looked_up_));
    ahead_.push_back(corpus_.lengths(static_cast<int64_t>(pair)));
  }
}

void EpochOrder::make_group() {
  look_up(corpus_.size());
  group_.clear();
  next_in_group_ = 0;
  const auto pool = static_cast<size_t>(pool_pairs_);
  for (size_t begin = 0; begin < ahead_.size(); begin += pool) {
    const auto pairs = std::span(ahead_).subspan(begin, std::min(pool, ahead_.size() - begin));
    for (auto& batch : batches_by_length(pairs, options_)) group_.push_back(std::move(batch));
  }
  shuffle(group_, random_);
  look_ups_ = static_cast<int64_t>(ahead_.size() / group_.size()) + 1;
  ahead_.clear();
}

}  // namespace heed
