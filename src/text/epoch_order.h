// The order in which an epoch visits the corpus. It is computed bit by bit, so that its memory does
// not grow with the corpus.
#pragma once

#include <cstdint>
#include <vector>

#include "base/permutation.h"
#include "base/random.h"
#include "text/corpus.h"
#include "text/length_batches.h"

namespace heed {

// Visits the pairs in a random order, cuts pools of them into batches by length, and shuffles the
// batches of kGroupPools pools together (all batches, if the corpus has no more pools). Every pair
// occurs once. The order is a pure function of the arguments, so a resumed run continues it.
class EpochOrder {
 public:
  static constexpr int64_t kGroupPools = 16;

  // The corpus must outlive the order.
  EpochOrder(const Corpus& corpus, const BatchOptions& options, uint64_t seed, uint64_t epoch);

  bool at_end() const { return pairs_done_ == corpus_.size(); }
  std::vector<int64_t> next();  // the pairs of the next batch; not at the end
  // Skips this many batches; throws InternalError if the epoch has fewer.
  void skip(int64_t batches);
  int64_t pairs_done() const { return pairs_done_; }  // in the batches given or skipped

 private:
  void look_up(int64_t pairs);
  void make_group();

  const Corpus& corpus_;
  BatchOptions options_;
  Permutation permutation_;
  Random random_;
  int64_t pool_pairs_;
  // The lengths of the pairs of the next group. Some are looked up with each batch, since each may
  // have to be read from the disk.
  std::vector<PairLengths> ahead_;
  int64_t looked_up_ = 0;                    // how many pairs, from the start of the epoch
  int64_t look_ups_ = 0;                     // how many more with each batch
  std::vector<std::vector<int64_t>> group_;  // batches
  size_t next_in_group_ = 0;
  int64_t pairs_done_ = 0;
};

}  // namespace heed
