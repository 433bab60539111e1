#include "nn/output_subset.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/round_up.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

// Sentences per group.
constexpr size_t kSentences = 32;
// Columns of a product are a multiple of this: a matrix library builds something for each
// width it meets.
constexpr int64_t kColumns = 64;

void check_shortlist(const Shortlist& shortlist, int64_t vocabulary) {
  const bool ascending = std::adjacent_find(shortlist.begin(), shortlist.end(),
                                            std::greater_equal<>()) == shortlist.end();
  check(shortlist.size() > kEnd && shortlist[kEnd] == kEnd && ascending &&
            shortlist.back() < vocabulary,
        "[OutputSubset] a shortlist is ascending from <unk>, <s>, </s>, with ids below {}",
        vocabulary);
}

// The tokens of any shortlist, ascending, and each token's index among them.
struct Union {
  std::vector<TokenId> tokens;
  std::vector<int32_t> index;

  Union(std::span<const Shortlist> shortlists, int64_t vocabulary)
      : index(static_cast<size_t>(vocabulary), -1) {
    for (const Shortlist& shortlist : shortlists)
      for (const TokenId token : shortlist) index[static_cast<size_t>(token)] = 0;
    for (size_t token = 0; token < index.size(); ++token) {
      if (index[token] < 0) continue;
      index[token] = static_cast<int32_t>(tokens.size());
      tokens.push_back(static_cast<TokenId>(token));
    }
  }
};

// y [rows, C] = the rows of x that belong to the tokens, then zeros.
void gather(const Tensor& x, const Ids& tokens, const Tensor& y) {
  kernels::gather_rows(x, tokens, y.slice(0, tokens.size()));
  kernels::fill(y.slice(tokens.size(), y.shape[0]), 0);
}

// The columns of each shortlist among all tokens, a row per sentence, filled up with -1.
std::vector<int32_t> column_lists(const Union& all, std::span<const Shortlist> shortlists,
                                  int64_t longest) {
  std::vector<int32_t> columns(shortlists.size() * static_cast<size_t>(longest), -1);
  for (size_t b = 0; b < shortlists.size(); ++b)
    for (size_t i = 0; i < shortlists[b].size(); ++i)
      columns[b * static_cast<size_t>(longest) + i] =
          all.index[static_cast<size_t>(shortlists[b][i])];
  return columns;
}

}  // namespace

// Sentences that follow each other, and U tokens that they want, with some zeros at the end.
struct OutputSubset::Group {
  // `memory` is kept, `scratch` is reset.
  Group(const Parameter& weight, const Parameter& bias_of_all,
        std::span<const Shortlist> shortlists, int64_t longest, Arena& memory, Arena& scratch)
      : sentences(std::ssize(shortlists)) {
    const int64_t V = weight.value.shape[0], R = weight.value.shape[1];
    const Union all(shortlists, V);
    const auto count = std::ssize(all.tokens);
    const int64_t U = round_up<int64_t>(count, kColumns);
    columns = upload(memory, column_lists(all, shortlists, longest), {sentences, longest}, {-1, U});
    bias = memory.tensor({U});
    scratch.reset();
    const Ids tokens = upload(scratch, all.tokens, {count}, {0, V});
    gather(bias_of_all.value.reshaped({V, 1}), tokens, bias.reshaped({U, 1}));
    const Tensor rows = scratch.tensor({U, R});
    gather(weight.value, tokens, rows);
    packed.pack(rows, true, *weight.precision);
  }

  // result [rows, L]; row_begin as in log_probabilities(), for the sentences of this group.
  void log_probabilities(Arena& arena, const Tensor& readout, std::span<const int32_t> row_begin,
                         const Tensor& result) const {
    const int64_t rows = readout.shape[0];
    std::vector<int32_t> own(row_begin.begin(), row_begin.end());
    for (int32_t& row : own) row -= row_begin.front();
    const Tensor logits = arena.tensor({rows, packed.columns()});
    kernels::gemm_packed(readout, packed, bias, logits);
    kernels::log_softmax_of_columns(logits, upload(arena, own, {sentences + 1}, {0, rows + 1}),
                                    columns, result);
  }

  int64_t sentences;
  Ids columns;                   // [sentences, L]
  Tensor bias;                   // [U]
  kernels::PackedMatrix packed;  // [R, U]
};

OutputSubset::OutputSubset(const Parameter& weight, const Parameter& bias,
                           std::span<const Shortlist> shortlists)
    : memory_(std::make_unique<Arena>(weight.value.device)) {
  for (const Shortlist& shortlist : shortlists) {
    check_shortlist(shortlist, weight.value.shape[0]);
    longest_ = std::max(longest_, std::ssize(shortlist));
  }
  const size_t B = shortlists.size(), groups = (B + kSentences - 1) / kSentences;
  Arena scratch(weight.value.device);
  for (size_t g = 0; g < groups; ++g) {
    const size_t begin = g * B / groups, end = (g + 1) * B / groups;
    groups_.emplace_back(weight, bias, shortlists.subspan(begin, end - begin), longest_, *memory_,
                         scratch);
  }
}

OutputSubset::OutputSubset(OutputSubset&&) noexcept = default;
OutputSubset::~OutputSubset() = default;

Tensor OutputSubset::log_probabilities(Arena& arena, const Tensor& readout,
                                       std::span<const int32_t> row_begin) const {
  const Tensor result = arena.tensor({readout.shape[0], longest_});
  for (const Group& group : groups_) {
    const std::span<const int32_t> own = row_begin.first(static_cast<size_t>(group.sentences) + 1);
    const int64_t begin = own.front(), end = own.back();
    if (end > begin) {
      const Arena::Mark mark = arena.mark();
      group.log_probabilities(arena, readout.slice(begin, end), own, result.slice(begin, end));
      arena.release(mark);
    }
    row_begin = row_begin.subspan(static_cast<size_t>(group.sentences));
  }
  return result;
}

}  // namespace heed
