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
void normalise(const Real* logits, std::span<const int32_t> columns, std::span<Real> row) {
  for (size_t i = 0; i < columns.size(); ++i) row[i] = logits[columns[i]];
  const Tensor own{row.data(), Shape{1, static_cast<int64_t>(columns.size())}, Device::cpu};
  kernels::log_softmax(own, own);
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(columns.size()), row.end(),
            -std::numeric_limits<Real>::infinity());
}

template <typename F>
void for_each_row(const Tensor& y, const F& f) {
  constexpr int64_t kNumbersAChunk = 32768;
  const int64_t grain = std::max<int64_t>(1, kNumbersAChunk / y.shape.last());
  parallel_for(y.shape[0], grain, [&f](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) f(row);
  });
}

// Rows of the sentences first .. first + count - 1, hypothesis after hypothesis.
std::vector<int32_t> rows_of(int64_t first, int64_t count, int64_t width, int64_t B) {
  std::vector<int32_t> rows;
  for (int64_t j = 0; j < width; ++j)
    for (int64_t b = first; b < first + count; ++b) rows.push_back(static_cast<int32_t>(j * B + b));
  return rows;
}

}  // namespace

OutputSubset::OutputSubset(const Parameter& weight, const Parameter& bias,
                           std::span<const Shortlist> shortlists) {
  for (const Shortlist& shortlist : shortlists) check_shortlist(shortlist, weight.value.shape[0]);
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

Tensor OutputSubset::logits(const Group& group, Arena& arena, const Tensor& readout,
                            std::span<const int32_t> rows) {
  const auto count = static_cast<int64_t>(rows.size());
  const int64_t U = group.weight.columns();
  const Tensor own = arena.tensor({count, readout.shape.last()}), y = arena.tensor({count, U});
  kernels::gather_rows(readout, rows.data(), count, own);
  const Tensor bias{const_cast<Real*>(group.bias.data()), Shape{U}, Device::cpu};
  kernels::gemm_packed(own, group.weight, bias, y);
  return y;
}

Tensor OutputSubset::log_probabilities(Arena& arena, const Tensor& readout) const {
  size_t longest = 0;
  int64_t B = 0;
  for (const Group& group : groups_) {
    B += static_cast<int64_t>(group.columns.size());
    for (const Columns& columns : group.columns) longest = std::max(longest, columns.size());
  }
  const auto L = static_cast<int64_t>(longest);
  const Tensor result = arena.tensor({readout.shape[0], L});
  int64_t first = 0;
  for (const Group& group : groups_) {
    const auto count = static_cast<int64_t>(group.columns.size());
    const std::vector<int32_t> rows = rows_of(first, count, readout.shape[0] / B, B);
    const Arena::Mark mark = arena.mark();
    const Tensor y = logits(group, arena, readout, rows);
    for_each_row(y, [&](int64_t i) {
      normalise(y.data + i * y.shape.last(), group.columns[static_cast<size_t>(i % count)],
                {result.data + rows[static_cast<size_t>(i)] * L, longest});
    });
    arena.release(mark);
    first += count;
  }
  return result;
}

void OutputSubset::keep(std::span<const int32_t> sentences) {
  auto next = sentences.begin();
  int32_t first = 0;
  for (Group& group : groups_) {
    const int32_t end = first + static_cast<int32_t>(group.columns.size());
    std::vector<Columns> kept;
    for (; next != sentences.end() && *next < end; ++next)
      kept.push_back(std::move(group.columns[static_cast<size_t>(*next - first)]));
    group.columns = std::move(kept);
    first = end;
  }
  std::erase_if(groups_, [](const Group& group) { return group.columns.empty(); });
}

}  // namespace heed
