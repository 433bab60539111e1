// Which token a column of a step's log-probabilities is: the same number, or an index into
// the sentence's shortlist.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "decode/search_request.h"
#include "text/batch.h"
#include "text/shortlist.h"

namespace heed {

class Columns {
 public:
  // Without a shortlister every sentence has the whole vocabulary. The tokens of a prefix are
  // always among those of its sentence.
  Columns(const Batch& batch, const Shortlister* shortlister, std::span<const Request> requests);

  // One per sentence of the batch, or none.
  std::span<const Shortlist> shortlists() const { return shortlists_; }
  // nullopt: beyond the end of this sentence's shortlist.
  std::optional<TokenId> token(size_t sentence, int32_t column) const {
    if (shortlists_.empty()) return column;
    const Shortlist& shortlist = shortlists_[sentence];
    if (static_cast<size_t>(column) >= shortlist.size()) return std::nullopt;
    return shortlist[static_cast<size_t>(column)];
  }
  // Of a token that the sentence has.
  int64_t column(size_t sentence, TokenId token) const;

 private:
  std::vector<Shortlist> shortlists_;
};

}  // namespace heed
