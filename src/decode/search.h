// Beam search over a batch of sentences; with a beam of one, greedy search, through the same code.
#pragma once

#include <vector>

#include "decode/hypothesis.h"
#include "nn/model.h"
#include "text/batch.h"

namespace heed {

// The n best translations of each sentence of the batch, best first: at least one, fewer than
// options.nbest only where there are no more. <unk> and <s> are never produced; a hypothesis at its
// length limit gets </s>. Each sentence is searched on its own account (its limit, its end), so its
// result doesn't depend on its neighbours. Requires 1 <= nbest <= beam and length_penalty >= 0.
// Throws UserError if the model gives numbers that are not finite.
std::vector<std::vector<Hypothesis>> search(Model& model, const Batch& batch,
                                            const SearchOptions& options);

}  // namespace heed
