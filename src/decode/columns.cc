#include "decode/columns.h"

#include <algorithm>

namespace heed {
namespace {

void add(Shortlist& shortlist, const std::vector<TokenId>& tokens) {
  shortlist.insert(shortlist.end(), tokens.begin(), tokens.end());
  std::sort(shortlist.begin(), shortlist.end());
  shortlist.erase(std::unique(shortlist.begin(), shortlist.end()), shortlist.end());
}

}  // namespace

Columns::Columns(const Batch& batch, const Shortlister* shortlister,
                 std::span<const Request> requests) {
  if (shortlister == nullptr) return;
  std::vector<TokenId> source;
  for (int64_t b = 0; b < batch.B; ++b) {
    const auto at = static_cast<size_t>(b);
    source.clear();
    for (int64_t s = 0; s + 1 < batch.source_length[at]; ++s)
      source.push_back(batch.source[static_cast<size_t>(s * batch.B + b)]);
    shortlists_.push_back(shortlister->of(source));
    if (!requests.empty()) add(shortlists_.back(), requests[at].prefix);
  }
}

int64_t Columns::column(size_t sentence, TokenId token) const {
  if (shortlists_.empty()) return token;
  const Shortlist& shortlist = shortlists_[sentence];
  return std::lower_bound(shortlist.begin(), shortlist.end(), token) - shortlist.begin();
}

}  // namespace heed
