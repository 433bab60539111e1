#include "text/batch_reader.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.h"
#include "text/epoch_order.h"

namespace heed {
namespace {

constexpr size_t kBatchesAhead = 4;

// Makes the next batch at each call.
class Maker {
 public:
  Maker(const Corpus& corpus, const BatchOptions& options, uint64_t seed, int64_t epoch,
        int64_t position)
      : corpus_(corpus), options_(options), seed_(seed), epoch_(epoch), position_(position) {}

  EpochBatch make() {
    if (!order_) begin_epoch();
    EpochBatch made;
    made.batch = make_batch(corpus_.pairs(order_->next()));
    made.pairs_done = order_->pairs_done();
    made.ends_epoch = order_->at_end();
    if (made.ends_epoch) order_.reset();
    return made;
  }

 private:
  void begin_epoch() {
    order_.emplace(corpus_, options_, seed_, static_cast<uint64_t>(epoch_++));
    order_->skip(std::exchange(position_, 0));
  }

  const Corpus& corpus_;
  BatchOptions options_;
  uint64_t seed_;
  int64_t epoch_, position_;  // where the next epoch begins
  std::optional<EpochOrder> order_;
};

std::function<EpochBatch()> maker(const Corpus& corpus, const BatchOptions& options, uint64_t seed,
                                  int64_t epoch, int64_t position) {
  check(corpus.size() > 0, "[BatchReader] the corpus must have pairs");
  const auto made = std::make_shared<Maker>(corpus, options, seed, epoch, position);
  return [made] { return made->make(); };
}

}  // namespace

BatchReader::BatchReader(const Corpus& corpus, const BatchOptions& options, uint64_t seed,
                         int64_t epoch, int64_t position)
    : batches_(maker(corpus, options, seed, epoch, position), kBatchesAhead) {}

}  // namespace heed
