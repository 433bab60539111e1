#include "nn/output_subset.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"

namespace heed {
namespace {

// Sentences of a group.
constexpr size_t kSentences = 32;
// Columns of a product are a multiple of this: a matrix library builds something for each width it
// meets.
constexpr int64_t kColumns = 64;

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
void normalise_row(const Real* logits, std::span<const int32_t> columns, std::span<Real> row) {
  for (size_t i = 0; i < columns.size(); ++i) row[i] = logits[columns[i]];
  const Tensor own{row.data(), Shape{1, static_cast<int64_t>(columns.size())}, Device::cpu};
  kernels::log_softmax(own, own);
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(columns.size()), row.end(),
            -std::numeric_limits<Real>::infinity());
}

}  // namespace

OutputSubset::OutputSubset(const Parameter& weight, const Parameter& bias,
                           std::span<const Shortlist> shortlists) {
  for (const Shortlist& shortlist : shortlists) {
    check_shortlist(shortlist, weight.value.shape[0]);
    longest_ = std::max(longest_, std::ssize(shortlist));
  }
  const size_t B = shortlists.size(), groups = (B + kSentences - 1) / kSentences;
  Arena scratch;
  for (size_t g = 0; g < groups; ++g) {
    const size_t begin = g * B / groups, end = (g + 1) * B / groups;
    groups_.push_back(make_group(weight, bias, shortlists.subspan(begin, end - begin), scratch));
  }
}

OutputSubset::Group OutputSubset::make_group(const Parameter& weight, const Parameter& bias,
                                             std::span<const Shortlist> shortlists,
                                             Arena& scratch) {
  const int64_t V = weight.value.shape[0], R = weight.value.shape[1];
  Group group;
  const Union all(shortlists, V);
  for (const Shortlist& shortlist : shortlists) {
    Columns& columns = group.columns.emplace_back();
    for (const TokenId token : shortlist) columns.push_back(all.place[static_cast<size_t>(token)]);
  }
  const int64_t U = (static_cast<int64_t>(all.tokens.size()) + kColumns - 1) / kColumns * kColumns;
  group.bias.resize(static_cast<size_t>(U));
  gather(bias.value.reshaped({V, 1}), all.tokens, {group.bias.data(), Shape{U, 1}, Device::cpu});
  scratch.reset();
  const Tensor rows = scratch.tensor({U, R});
  gather(weight.value, all.tokens, rows);
  group.weight.pack(rows, true, *weight.precision);
  return group;
}

Tensor OutputSubset::logits(const Group& group, Arena& arena, const Tensor& readout) {
  const int64_t U = group.weight.columns();
  const Tensor y = arena.tensor({readout.shape[0], U});
  const Tensor bias{const_cast<Real*>(group.bias.data()), Shape{U}, Device::cpu};
  kernels::gemm_packed(readout, group.weight, bias, y);
  return y;
}

// Each row of logits y [rows, U] is normalised over the shortlist of its sentence; result [rows,
// L].
void OutputSubset::normalise(const Group& group, const Tensor& y, std::span<const int32_t> first,
                             Tensor result) {
  constexpr int64_t kNumbersAChunk = 32768;
  const int64_t L = result.shape.last(), U = y.shape.last();
  const auto sentences = static_cast<int64_t>(group.columns.size());
  const int64_t numbers_a_sentence = y.size() / sentences;
  const int64_t grain =
      std::max<int64_t>(1, kNumbersAChunk / std::max<int64_t>(1, numbers_a_sentence));
  parallel_for(sentences, grain, [&](int64_t begin, int64_t end) {
    for (auto b = static_cast<size_t>(begin); b < static_cast<size_t>(end); ++b)
      for (int64_t row = first[b] - first[0]; row < first[b + 1] - first[0]; ++row)
        normalise_row(y.data + row * U, group.columns[b],
                      {result.data + row * L, static_cast<size_t>(L)});
  });
}

Tensor OutputSubset::log_probabilities(Arena& arena, const Tensor& readout,
                                       std::span<const int32_t> first) const {
  const Tensor result = arena.tensor({readout.shape[0], longest_});
  for (const Group& group : groups_) {
    const std::span<const int32_t> own = first.first(group.columns.size() + 1);
    const int64_t begin = own.front(), end = own.back();
    if (end > begin) {
      const Arena::Mark mark = arena.mark();
      const Tensor y = logits(group, arena, readout.slice(begin, end));
      normalise(group, y, own, result.slice(begin, end));
      arena.release(mark);
    }
    first = first.subspan(group.columns.size());
  }
  return result;
}

}  // namespace heed
