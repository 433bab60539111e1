// The batches of training, prepared in advance by a thread of their own.
#pragma once

#include <cstdint>

#include "base/read_ahead.h"
#include "text/batch.h"
#include "text/corpus.h"

namespace heed {

struct EpochBatch {
  Batch batch;
  int64_t pairs_done;  // of this epoch, this batch included
  bool ends_epoch;
};

// Gives the batches of epoch after epoch in EpochOrder, without an end.
class BatchReader {
 public:
  // Begins with batch `position` of epoch `epoch`, both counted from 0. The corpus must have pairs
  // and outlive the reader.
  BatchReader(const Corpus& corpus, const BatchOptions& options, uint64_t seed, int64_t epoch,
              int64_t position);

  // Waits for the next batch. Throws InternalError if the epoch has no batch `position`.
  EpochBatch next() { return batches_.next(); }

 private:
  ReadAhead<EpochBatch> batches_;
};

}  // namespace heed
