// The order in which an epoch visits the corpus, made as it goes: its memory does not grow with the
// corpus.
#pragma once

#include <cstdint>
#include <vector>

#include "base/permutation.h"
#include "base/random.h"
#include "text/corpus.h"
#include "text/length_batches.h"

namespace heed {

// Visits the pairs in a random order, cuts pools of them into batches by length, and shuffles the
// batches of kGroupPools pools together (a corpus of no more pools is shuffled as a whole). Every
// pair occurs once. A pure function of its arguments, so a resumed run finds its place again.
class EpochOrder {
 public:
  static constexpr int64_t kGroupPools = 16;

  // The corpus must outlive the order.
  EpochOrder(const Corpus& corpus, const BatchOptions& options, uint64_t seed, uint64_t epoch);

  bool at_end() const { return pairs_done_ == corpus_.size(); }
  std::vector<int64_t> next();  // the pairs of the next batch; not at the end
  // Leaves out so many batches; throws InternalError where the epoch has fewer.
  void skip(int64_t batches);
  int64_t pairs_done() const { return pairs_done_; }  // in the batches given or left out

 private:
  void look_up(int64_t pairs);
  void make_group();

  const Corpus& corpus_;
  BatchOptions options_;
  Permutation permutation_;
  Random random_;
  int64_t pool_pairs_;
  // Of the next group. The lengths of its pairs are looked up bit by bit, some with each batch,
  // since each may have to come from the disk.
  std::vector<PairLengths> ahead_;
  int64_t looked_up_ = 0;                    // pairs, of the whole order
  int64_t look_ups_ = 0;                     // with each batch
  std::vector<std::vector<int64_t>> group_;  // batches
  size_t next_in_group_ = 0;
  int64_t pairs_done_ = 0;
};

}  // namespace heed
