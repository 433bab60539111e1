// Beam search over a batch of sentences; with a beam of one, greedy search, and draws from the
// model's distribution, through the same code.
#pragma once

#include <span>
#include <vector>

#include "decode/ensemble.h"
#include "decode/hypothesis.h"
#include "text/batch.h"

namespace heed {

// What is asked of one sentence besides its translation.
struct Request {
  std::vector<TokenId> prefix;  // the translation begins with it
  uint64_t stream = 0;          // of its draws; equal ones draw the same for the same sentence
};

// The n best translations of each sentence of the batch, best first: at least one, fewer than
// options.nbest only where there are no more. <s> is never produced, <unk> only where
// options.constraints allows it; a hypothesis at its length limit gets </s>, as does one that no
// token may follow. Each sentence is searched on its own account (its limit, its end), so its
// result doesn't depend on its neighbours. A sampled one is drawn once. `requests`: one a sentence,
// or none. Requires 1 <= nbest <= beam, for sampling both 1. Throws UserError if the model gives
// numbers that are not finite.
std::vector<std::vector<Hypothesis>> search(const Ensemble& models, const Batch& batch,
                                            const SearchOptions& options,
                                            std::span<const Request> requests = {});

}  // namespace heed
