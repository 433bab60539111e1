#include "nn/word_table.h"

#include <algorithm>
#include <numeric>

#include "tensor/transfer.h"

namespace heed {
namespace {

// A larger table is not made: its rows would come from slow memory.
constexpr int64_t kMostBytes = int64_t{128} << 20;
// Words at once: enough rows for the products, a few MB of scratch.
constexpr int64_t kWords = 512;

}  // namespace

WordInputs WordTable::computed(Tape& tape, const Ids& words) const {
  return decoder_.of_words(tape, embeddings_.target(tape, words, {}));
}

WordInputs WordTable::inputs(Tape& tape, const Ids& words) const {
  if (version_ != store_.version()) return computed(tape, words);
  const int64_t rows = words.size();
  std::vector<Var> gathered;
  for (const Tensor& table : parts_) {
    const Tensor part = tape.arena().tensor({1, rows, table.shape.last()});
    kernels::gather_rows(table, words.reshaped({rows}), part);
    gathered.push_back(tape.constant(part));
  }
  return WordInputs(std::move(gathered));
}

void WordTable::fill() {
  const int64_t V = embeddings_.target_table().value.shape[0];
  if (version_ == store_.version()) return;
  if (V * decoder_.word_input_size() * static_cast<int64_t>(sizeof(Real)) > kMostBytes) return;
  Arena scratch(store_.device());
  memory_.reset();
  parts_.clear();
  std::vector<TokenId> ids(kWords);
  for (int64_t begin = 0; begin < V; begin += kWords) {
    const int64_t count = std::min(kWords, V - begin);
    std::iota(ids.begin(), ids.end(), static_cast<TokenId>(begin));
    scratch.reset();
    Tape tape(scratch, false);
    const std::span<const TokenId> words(ids.data(), static_cast<size_t>(count));
    const WordInputs made = computed(tape, upload(scratch, words, {1, count}, {0, V}));
    for (size_t i = 0; i < made.parts.size(); ++i) {
      const Tensor part = made.parts[i].value().at(0);
      if (begin == 0) parts_.push_back(memory_.tensor({V, part.shape.last()}));
      kernels::copy(part, parts_[i].slice(begin, begin + count));
    }
  }
  version_ = store_.version();
}

}  // namespace heed
