#include <algorithm>

#include "base/error.h"
#include "decode/source_effects.h"
#include "tensor/transfer.h"
#include "text/batch.h"

namespace heed {
namespace {

// The source tokens [begin, end) of a pair, counted with </s>.
struct Group {
  size_t begin, end;
};

class Eraser {
 public:
  Eraser(const EffectInput& input, const std::vector<size_t>& begins, Erase erase)
      : input_(input), erase_(erase) {
    for (size_t g = 0; g < begins.size(); ++g)
      groups_.push_back({begins[g], g + 1 < begins.size() ? begins[g + 1] : length()});
    check(!groups_.empty() && groups_.back().begin == input.source.size(),
          "[erasure_effects] the last group is </s>. Received {} groups", groups_.size());
  }

  // log p [T, B]: column b without the group first + b.
  Tensor log_p(size_t first, size_t count) const {
    std::vector<std::vector<TokenId>> sources;
    for (size_t b = 0; b < count; ++b) sources.push_back(source_without(groups_[first + b]));
    std::vector<SentencePair> pairs;
    for (const std::vector<TokenId>& source : sources) pairs.push_back({source, input_.target});
    Batch batch = make_batch(pairs);
    if (erase_ == Erase::remove) shorten_end(first, batch);
    input_.arena.reset();
    Tape tape(input_.arena, false);
    return input_.model.force(tape, batch, factors(first, batch)).token_log_probability;
  }

 private:
  size_t length() const { return input_.source.size() + 1; }

  std::vector<TokenId> source_without(const Group& group) const {
    std::vector<TokenId> ids(input_.source.begin(), input_.source.end());
    if (erase_ == Erase::zero || group.end == length()) return ids;
    ids.erase(ids.begin() + static_cast<int64_t>(group.begin),
              ids.begin() + static_cast<int64_t>(group.end));
    return ids;
  }

  // The sentence without </s> ends one token earlier, unless </s> is its only token.
  void shorten_end(size_t first, Batch& batch) const {
    for (size_t b = 0; b < batch.source_length.size(); ++b)
      if (groups_[first + b].end == length() && batch.source_length[b] > 1)
        --batch.source_length[b];
  }

  // [S, B]: 0 for the erased tokens, else 1; empty if tokens are removed instead.
  std::vector<Real> factors(size_t first, const Batch& batch) const {
    if (erase_ == Erase::remove) return {};
    const auto B = static_cast<size_t>(batch.B);
    std::vector<Real> factors(static_cast<size_t>(batch.S) * B, Real{1});
    for (size_t b = 0; b < B; ++b)
      for (size_t s = groups_[first + b].begin; s < groups_[first + b].end; ++s)
        factors[s * B + b] = 0;
    return factors;
  }

  const EffectInput& input_;
  Erase erase_;
  std::vector<Group> groups_;
};

}  // namespace

Matrix erasure_effects(const EffectInput& input, std::span<const double> log_p,
                       const std::vector<size_t>& begins, Erase erase) {
  check(log_p.size() == input.target.size() + 1,
        "[erasure_effects] a log p for each target token. Received {} for {}", log_p.size(),
        input.target.size() + 1);
  Matrix effects(log_p.size(), std::vector<double>(begins.size(), 0.0));
  const Eraser eraser(input, begins, erase);
  const auto longer = static_cast<int64_t>(std::max(input.source.size(), input.target.size()) + 1);
  const auto most = static_cast<size_t>(std::max<int64_t>(1, input.batch_tokens / longer));
  for (size_t first = 0; first < begins.size(); first += most) {
    const size_t count = std::min(most, begins.size() - first);
    const HostView without(eraser.log_p(first, count));
    for (size_t t = 0; t < log_p.size(); ++t)
      for (size_t b = 0; b < count; ++b)
        effects[t][first + b] = log_p[t] - static_cast<double>(without.all()[t * count + b]);
  }
  const bool reads_nothing = erase == Erase::remove && input.source.empty();
  if (reads_nothing)
    for (std::vector<double>& row : effects) row.back() = 0;
  return effects;
}

}  // namespace heed
