// A batch in search, as the search sees it: tokens in, log-probabilities and attention out. It
// knows neither what kind of decoder steps nor how many models do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/step_result.h"
#include "text/vocabulary.h"

namespace heed {

// One batch being searched: encoded once, then stepped token by token. The rows of a step are the
// hypotheses of the first sentence, then those of the second, and so on; one each at the start.
// What step() returns stays valid until the next call.
class DecoderSession {
 public:
  virtual ~DecoderSession() = default;
  // previous [rows]: the last token of each row (kStart at first).
  virtual StepResult step(std::span<const TokenId> previous) = 0;
  // New row i continues old row from[i]; counts[b] of the new rows belong to sentence b of the
  // batch, none to one that is finished.
  virtual void reorder(std::span<const int32_t> from, std::span<const int32_t> counts) = 0;
};

}  // namespace heed
