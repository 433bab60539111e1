#include "nn/session.h"

#include <numeric>
#include <optional>

#include "base/error.h"
#include "nn/output_subset.h"

namespace heed {
namespace {

class RecurrentSession : public DecoderSession {
 public:
  RecurrentSession(const Parts& parts, const Batch& batch, std::span<const Shortlist> shortlists)
      : parts_(parts), lengths_(batch.source_length), first_(lengths_.size() + 1) {
    std::iota(first_.begin(), first_.end(), 0);
    check(shortlists.empty() || static_cast<int64_t>(shortlists.size()) == batch.B,
          "[start] a shortlist for each sentence, or none. Received {} for {}", shortlists.size(),
          batch.B);
    if (!shortlists.empty()) subset_.emplace(*parts.output_weight, *parts.output_bias, shortlists);
    Tape tape(scratch_.next(), false);
    const EncoderOutput encoded = parts.encoder->run(tape, batch, {});
    const AttentionMemory memory = parts.decoder->prepare(tape, encoded);
    if (memory.keys) {
      keys_ = copy_into(memory_, memory.keys.value());
      values_ = copy_into(memory_, memory.values.value());
    } else {
      summary_ = copy_into(memory_, memory.summary.value());
    }
    keep_state(parts.decoder->start(tape, encoded.summary));
  }

  int64_t source_length() const override { return keys_.empty() ? 0 : keys_.shape[0]; }

  StepResult step(std::span<const TokenId> previous) override {
    check(static_cast<int64_t>(previous.size()) == rows(),
          "[step] one token a row. Received {} for {} rows", previous.size(), rows());
    Tape tape(scratch_.next(), false);
    AttentionMemory memory{{}, {}, {}, lengths_.data(), first_.data()};
    if (!keys_.empty()) {
      memory.keys = tape.constant(keys_);
      memory.values = tape.constant(values_);
    } else {
      memory.summary = tape.constant(summary_);
    }
    const DecoderOutput out = parts_.decoder->run(tape, memory, parts_.of_words(tape, previous),
                                                  state_on(tape), {}, true);
    keep_state(out.last);
    return {log_probabilities(tape, tape.step(out.readout, 0)),
            out.attention.empty() ? Tensor{} : out.attention.at(0)};
  }

  // What attention reads of a sentence without rows stays in memory, but nothing looks at it.
  void reorder(std::span<const int32_t> from, std::span<const int32_t> counts) override {
    const int64_t rows = std::accumulate(counts.begin(), counts.end(), int64_t{0});
    check(counts.size() == lengths_.size() && rows == std::ssize(from) && rows > 0,
          "[reorder] a count for each of {} sentences, {} rows together. Received {} and {}",
          lengths_.size(), from.size(), counts.size(), rows);
    gather_state(from);
    std::partial_sum(counts.begin(), counts.end(), first_.begin() + 1);
  }

 private:
  int64_t rows() const { return first_.back(); }

  // [rows, V], or as OutputSubset lays it out.
  Tensor log_probabilities(Tape& tape, Var readout) {
    if (subset_) return subset_->log_probabilities(tape.arena(), readout.value(), first_);
    const Tensor logits =
        linear_transposed(tape, readout, *parts_.output_weight, parts_.output_bias).value();
    kernels::log_softmax(logits, logits);
    return logits;
  }

  // Two arenas in turn: what is new is written into one while the old is read from the other.
  struct Pair {
    Arena arenas[2];
    int current = 0;
    Arena& next() {
      current = 1 - current;
      arenas[current].reset();
      return arenas[current];
    }
  };

  static Tensor copy_into(Arena& arena, const Tensor& x) {
    const Tensor y = arena.tensor(x.shape);
    kernels::copy(x, y);
    return y;
  }

  // It stays where it was computed, which the next step leaves alone.
  void keep_state(const DecoderState& state) {
    layers_.clear();
    for (const CellState& layer : state.layers) {
      std::vector<Tensor> parts;
      for (const Var& part : layer) parts.push_back(part.value());
      layers_.push_back(std::move(parts));
    }
    feed_ = state.feed ? state.feed.value() : Tensor{};
  }

  DecoderState state_on(Tape& tape) const {
    DecoderState state;
    for (const auto& layer : layers_) {
      CellState parts;
      for (const Tensor& part : layer) parts.push_back(tape.constant(part));
      state.layers.push_back(std::move(parts));
    }
    if (!feed_.empty()) state.feed = tape.constant(feed_);
    return state;
  }

  void gather_state(std::span<const int32_t> from) {
    Arena& arena = states_.next();
    const int64_t count = static_cast<int64_t>(from.size());
    const auto gather = [&](Tensor& x) {
      if (x.empty()) return;
      const Tensor y = arena.tensor({count, x.shape.last()});
      kernels::gather_rows(x, from.data(), count, y);
      x = y;
    };
    for (auto& layer : layers_)
      for (Tensor& part : layer) gather(part);
    gather(feed_);
    gather(summary_);
  }

  const Parts& parts_;
  std::vector<int32_t> lengths_, first_;  // of the source; the first row of each sentence [B + 1]
  std::optional<OutputSubset> subset_;    // with shortlists
  Pair scratch_, states_;
  Arena memory_;
  Tensor keys_, values_;
  // Of each row:
  std::vector<std::vector<Tensor>> layers_;
  Tensor feed_;
  Tensor summary_;  // in the place of keys and values where there is no attention
};

}  // namespace

std::unique_ptr<DecoderSession> start_session(const Parts& parts, const Batch& batch,
                                              std::span<const Shortlist> shortlists) {
  return std::make_unique<RecurrentSession>(parts, batch, shortlists);
}

}  // namespace heed
