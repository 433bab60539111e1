#include "decode/constraints.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace heed {
namespace {

// floor(ratio * tokens), for any ratio >= 0.
int64_t share(double ratio, int64_t tokens) {
  constexpr double kMost = 1e9;
  return static_cast<int64_t>(std::min(kMost, std::floor(ratio * static_cast<double>(tokens))));
}

}  // namespace

Constraints::Constraints(const ConstraintOptions& options, int64_t source_tokens,
                         std::vector<TokenId> prefix)
    : options_(options), prefix_(std::move(prefix)) {
  most_ = share(options.max_length_ratio, source_tokens) + options.max_length_extra;
  if (options.max_length > 0) most_ = std::min(most_, options.max_length);
  most_ = std::max(most_, std::ssize(prefix_));
  least_ = std::max(options.min_length, share(options.min_length_ratio, source_tokens));
  least_ = std::min(least_, most_);
}

std::optional<TokenId> Constraints::only(int64_t length) const {
  if (length < std::ssize(prefix_)) return prefix_[static_cast<size_t>(length)];
  if (length >= most_) return kEnd;
  return std::nullopt;
}

void Constraints::exclude(int64_t length, std::vector<TokenId>& out) const {
  out.clear();
  if (!options_.unknown) out.push_back(kUnknown);
  out.push_back(kStart);
  if (length < least_) out.push_back(kEnd);
}

void Constraints::exclude_repeated(std::span<const TokenId> tokens,
                                   std::vector<TokenId>& out) const {
  const auto n = static_cast<size_t>(options_.block_ngram);
  if (n == 0 || tokens.size() < n) return;
  const auto end = tokens.subspan(tokens.size() - (n - 1));
  for (size_t begin = 0; begin + n <= tokens.size(); ++begin) {
    const auto ngram = tokens.subspan(begin, n);
    if (std::equal(end.begin(), end.end(), ngram.begin())) out.push_back(ngram[n - 1]);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace heed
