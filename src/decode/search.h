// Beam search over a batch of sentences; with a beam of one, greedy search, and draws from the
// model's distribution, through the same code.
#pragma once

#include <span>
#include <vector>

#include "decode/ensemble.h"
#include "decode/hypothesis.h"
#include "decode/search_request.h"
#include "text/batch.h"

namespace heed {

// The n best translations of each sentence of the batch, best first: at least one, fewer than
// options.nbest only if there are no more. <s> is never produced, <unk> only if
// options.constraints allows it; a hypothesis at its length limit gets </s>, as does one that no
// token may follow. Sentences are searched independently, each with its own length limit, so a
// result does not depend on the rest of the batch. With sampling, one translation is drawn per
// sentence. `requests`: one per sentence, or none. Requires 1 <= nbest <= beam, for sampling both
// 1. Throws UserError if the model gives log-probabilities that are not finite.
std::vector<std::vector<Hypothesis>> search(const Ensemble& models, const Batch& batch,
                                            const SearchOptions& options,
                                            std::span<const Request> requests = {});

}  // namespace heed
