#include "nn/output_subset.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"

namespace heed {
namespace {

// Columns of a product come in such groups: a matrix library builds something for each width it
// meets.
constexpr int64_t kGroup = 64;

void check_shortlist(const Shortlist& shortlist, int64_t vocabulary) {
  const bool ascending = std::adjacent_find(shortlist.begin(), shortlist.end(),
                                            std::greater_equal<>()) == shortlist.end();
  check(shortlist.size() > kEnd && shortlist[kEnd] == kEnd && ascending &&
            shortlist.back() < vocabulary,
        "[OutputSubset] a shortlist is ascending from <unk>, <s>, </s>, with ids below {}",
        vocabulary);
}

// The tokens of any shortlist, ascending, and each token's place among them.
struct Union {
  std::vector<TokenId> tokens;
  std::vector<int32_t> place;

  Union(std::span<const Shortlist> shortlists, int64_t vocabulary)
      : place(static_cast<size_t>(vocabulary), -1) {
    for (const Shortlist& shortlist : shortlists)
      for (const TokenId token : shortlist) place[static_cast<size_t>(token)] = 0;
    for (size_t token = 0; token < place.size(); ++token) {
      if (place[token] < 0) continue;
      place[token] = static_cast<int32_t>(tokens.size());
      tokens.push_back(static_cast<TokenId>(token));
    }
  }
};

// y [rows, columns] = the rows of x that belong to the tokens, then zeros.
void gather(const Tensor& x, const std::vector<TokenId>& tokens, Tensor y) {
  const auto count = static_cast<int64_t>(tokens.size());
  kernels::gather_rows(x, tokens.data(), count, y.slice(0, count));
  kernels::fill(y.slice(count, y.shape[0]), 0);
}

// row [L] = log softmax of the logits in these columns, then minus infinity.
void normalise(const Real* logits, std::span<const int32_t> columns, std::span<Real> row) {
  for (size_t i = 0; i < columns.size(); ++i) row[i] = logits[columns[i]];
  const Tensor own{row.data(), Shape{1, static_cast<int64_t>(columns.size())}, Device::cpu};
  kernels::log_softmax(own, own);
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(columns.size()), row.end(),
            -std::numeric_limits<Real>::infinity());
}

}  // namespace

OutputSubset::OutputSubset(const Parameter& weight, const Parameter& bias,
                           std::span<const Shortlist> shortlists) {
  const int64_t V = weight.value.shape[0], R = weight.value.shape[1];
  for (const Shortlist& shortlist : shortlists) check_shortlist(shortlist, V);
  const Union all(shortlists, V);
  for (const Shortlist& shortlist : shortlists) {
    Columns& columns = columns_.emplace_back();
    for (const TokenId token : shortlist) columns.push_back(all.place[static_cast<size_t>(token)]);
  }
  const int64_t U = (static_cast<int64_t>(all.tokens.size()) + kGroup - 1) / kGroup * kGroup;
  bias_ = memory_.tensor({U});
  gather(bias.value.reshaped({V, 1}), all.tokens, bias_.reshaped({U, 1}));
  Arena scratch;
  const Tensor rows = scratch.tensor({U, R});
  gather(weight.value, all.tokens, rows);
  weight_.pack(rows, true, *weight.precision);
}

Tensor OutputSubset::log_probabilities(Arena& arena, const Tensor& readout) const {
  const int64_t rows = readout.shape[0], B = static_cast<int64_t>(columns_.size()),
                U = weight_.columns();
  size_t longest = 0;
  for (const Columns& columns : columns_) longest = std::max(longest, columns.size());
  const auto L = static_cast<int64_t>(longest);
  const Tensor logits = arena.tensor({rows, U}), result = arena.tensor({rows, L});
  kernels::gemm_packed(readout, weight_, logits, false);
  kernels::add_bias(bias_, logits);
  constexpr int64_t kNumbersAChunk = 32768;
  parallel_for(rows, std::max<int64_t>(1, kNumbersAChunk / L), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      normalise(logits.data + row * U, columns_[static_cast<size_t>(row % B)],
                {result.data + row * L, longest});
  });
  return result;
}

void OutputSubset::keep(std::span<const int32_t> sentences) {
  std::vector<Columns> kept;
  for (const int32_t b : sentences) kept.push_back(std::move(columns_[static_cast<size_t>(b)]));
  columns_ = std::move(kept);
}

}  // namespace heed
