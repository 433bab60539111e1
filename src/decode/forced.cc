#include "decode/forced.h"

#include <utility>

#include "base/error.h"
#include "tensor/arena.h"
#include "tensor/transfer.h"
#include "text/batch.h"
#include "text/length_batches.h"

namespace heed {
namespace {

// The results of a forced batch on the host.
struct ForcedBatch {
  HostView token_log_probability, attention;  // [T, B], [T, B, S]

  // Reads sentence b.
  void read(const Batch& batch, int64_t b, bool with_attention, Hypothesis& hypothesis) const {
    const auto at = static_cast<size_t>(b);
    for (int64_t t = 0; t < batch.target_length[at]; ++t) {
      hypothesis.token_log_probabilities.push_back(
          static_cast<double>(token_log_probability.row(t)[at]));
      hypothesis.log_probability += hypothesis.token_log_probabilities.back();
      if (!with_attention || attention.empty()) continue;
      const std::span<const Real> row = attention.row(t * batch.B + b);
      hypothesis.attention.emplace_back(row.begin(), row.begin() + batch.source_length[at]);
    }
    hypothesis.score = hypothesis.log_probability;
  }
};

// Pairs of one direction that are forced together.
class Window {
 public:
  explicit Window(const Direction& direction) : direction_(direction) {}

  const ForcedLine& add(int64_t id, const std::string& source, const std::string& target) {
    ForcedLine& line = lines_.emplace_back();
    line.id = id;
    line.source = token_line(direction_.source, source, kMaxSourceTokens);
    line.target = token_line(direction_.target, target, kMaxTargetTokens);
    size_.add(line.source);
    size_.add(line.target);
    return line;
  }
  bool is_full() const { return size_.is_full(); }

  // Returns the lines with their hypotheses and empties the window.
  std::vector<ForcedLine> force(const ForcedOptions& options) {
    std::vector<std::vector<TokenId>> sources, targets;
    for (const ForcedLine& line : lines_) {
      sources.push_back(line.source.tokens.ids);
      targets.push_back(line.target.tokens.ids);
    }
    auto hypotheses = force_batchwise(direction_.models, sources, targets, options);
    for (size_t i = 0; i < lines_.size(); ++i) lines_[i].hypothesis = std::move(hypotheses[i]);
    size_ = {};
    return std::exchange(lines_, {});
  }

 private:
  Direction direction_;
  std::vector<ForcedLine> lines_;
  WindowSize size_;
};

// Reads the pairs into one window per direction (`backward`, if given, has the sides swapped) and
// calls flush() whenever a window is full, and at the end.
ForcedCounts read_windows(Window& forward, Window* backward, const TextFiles& files,
                          const std::function<void()>& flush) {
  ForcedCounts counts;
  CutLines cut;
  LinePairs pairs(files);
  for (std::string source, target; pairs.next(source, target);) {
    const int64_t id = counts.pairs++;
    const ForcedLine& line = forward.add(id, source, target);
    cut.note(line.source, files.source, counts.pairs);
    cut.note(line.target, files.target, counts.pairs);
    counts.empty += line.source.empty() || line.target.empty();
    if (backward != nullptr) backward->add(id, target, source);
    if (forward.is_full() || (backward != nullptr && backward->is_full())) flush();
  }
  flush();
  counts.truncated = cut.count();
  return counts;
}

}  // namespace

std::vector<Hypothesis> force_batchwise(const Ensemble& models,
                                        std::span<const std::vector<TokenId>> sources,
                                        std::span<const std::vector<TokenId>> targets,
                                        const ForcedOptions& options) {
  check(sources.size() == targets.size(), "[force_batchwise] as many targets as sources. {} vs {}",
        targets.size(), sources.size());
  std::vector<Hypothesis> results(sources.size());
  std::vector<PairLengths> lengths;
  for (size_t i = 0; i < sources.size(); ++i) {
    results[i].ids = targets[i];
    if (sources[i].empty() && targets[i].empty()) continue;
    lengths.push_back({static_cast<int64_t>(i), static_cast<int32_t>(sources[i].size()),
                       static_cast<int32_t>(targets[i].size())});
  }
  BatchOptions batching;
  batching.batch_tokens = options.batch_tokens;
  Arena arena(models.device());
  for (const auto& in_batch : batches_by_length(lengths, batching)) {
    arena.reset();
    Tape tape(arena, false);
    std::vector<SentencePair> pairs;
    for (const int64_t i : in_batch)
      pairs.push_back({sources[static_cast<size_t>(i)], targets[static_cast<size_t>(i)]});
    const Batch batch = make_batch(pairs);
    const Forced forced = models.force(tape, batch);
    const ForcedBatch on_host{HostView(forced.token_log_probability), HostView(forced.attention)};
    for (int64_t b = 0; b < batch.B; ++b) {
      const auto i = static_cast<size_t>(in_batch[static_cast<size_t>(b)]);
      on_host.read(batch, b, options.attention, results[i]);
    }
  }
  return results;
}

std::string ForcedCounts::summary() const {
  return fmt::format("{} pairs, {} with an empty side, {} sides truncated", pairs, empty,
                     truncated);
}

ForcedCounts force_lines(const Direction& forward, const TextFiles& files,
                         const ForcedOptions& options,
                         const std::function<void(const ForcedLine&)>& sink) {
  Window window(forward);
  return read_windows(window, nullptr, files, [&] {
    for (const ForcedLine& line : window.force(options)) sink(line);
  });
}

ForcedCounts force_lines_both(
    const Direction& forward, const Direction& backward, const TextFiles& files,
    const ForcedOptions& options,
    const std::function<void(const ForcedLine&, const ForcedLine&)>& sink) {
  Window there(forward), back(backward);
  return read_windows(there, &back, files, [&] {
    const auto forced = there.force(options), reverse = back.force(options);
    for (size_t i = 0; i < forced.size(); ++i) sink(forced[i], reverse[i]);
  });
}

}  // namespace heed
