#include "nn/session.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "nn/output_subset.h"

namespace heed {
namespace {

class RecurrentSession : public DecoderSession {
 public:
  RecurrentSession(const Parts& parts, const Batch& batch, std::span<const Shortlist> shortlists)
      : parts_(parts), lengths_(batch.source_length) {
    check(shortlists.empty() || static_cast<int64_t>(shortlists.size()) == batch.B,
          "[start] a shortlist for each sentence, or none. Received {} for {}", shortlists.size(),
          batch.B);
    if (!shortlists.empty()) subset_.emplace(*parts.output_weight, *parts.output_bias, shortlists);
    Tape tape(scratch_.next(), false);
    const EncoderOutput encoded = parts.encoder->run(tape, batch, {});
    const AttentionMemory memory = parts.decoder->prepare(tape, encoded);
    keep_memory(memory.keys ? memory.keys.value() : Tensor{},
                memory.values ? memory.values.value() : Tensor{}, memory.summary.value());
    keep_state(parts.decoder->start(tape, encoded.summary));
  }

  int64_t sentences() const override { return static_cast<int64_t>(lengths_.size()); }
  int64_t width() const override { return width_; }
  int64_t source_length() const override { return keys_.empty() ? 0 : keys_.shape[0]; }

  StepResult step(std::span<const TokenId> previous) override {
    check(static_cast<int64_t>(previous.size()) == rows(),
          "[step] one token a row. Received {} for {} rows", previous.size(), rows());
    Tape tape(scratch_.next(), false);
    AttentionMemory memory{{}, {}, tape.constant(summary_), lengths_.data()};
    if (!keys_.empty()) {
      memory.keys = tape.constant(keys_);
      memory.values = tape.constant(values_);
    }
    const DecoderOutput out = parts_.decoder->run(tape, memory, parts_.of_words(tape, previous),
                                                  state_on(tape), {}, true);
    keep_state(out.last);
    return {log_probabilities(tape, tape.step(out.readout, 0)),
            out.attention.empty() ? Tensor{} : out.attention.at(0)};
  }

  void reorder(std::span<const int32_t> from) override {
    check(!from.empty() && static_cast<int64_t>(from.size()) % sentences() == 0,
          "[reorder] as many rows for each of {} sentences. Received {} rows", sentences(),
          from.size());
    gather_state(from);
    width_ = static_cast<int64_t>(from.size()) / sentences();
  }

  void keep(std::span<const int32_t> kept) override {
    const int64_t before = sentences();
    std::vector<int32_t> rows;
    for (int64_t j = 0; j < width_; ++j)
      for (const int32_t b : kept) rows.push_back(static_cast<int32_t>(j * before + b));
    gather_state(rows);
    std::vector<int32_t> lengths;
    for (const int32_t b : kept) lengths.push_back(lengths_[static_cast<size_t>(b)]);
    const int64_t S = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
    lengths_ = std::move(lengths);
    gather_memory(kept, before, S);
    if (subset_) subset_->keep(kept);
  }

 private:
  int64_t rows() const { return width_ * sentences(); }

  // [rows, V], or as OutputSubset lays it out.
  Tensor log_probabilities(Tape& tape, Var readout) {
    if (subset_) return subset_->log_probabilities(tape.arena(), readout.value());
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
    if (x.empty()) return {};
    const Tensor y = arena.tensor(x.shape);
    kernels::copy(x, y);
    return y;
  }

  void keep_memory(const Tensor& keys, const Tensor& values, const Tensor& summary) {
    Arena& arena = memory_.next();
    keys_ = copy_into(arena, keys);
    values_ = copy_into(arena, values);
    summary_ = copy_into(arena, summary);
  }

  // The first S positions of the kept sentences; a tensor [S, B, n] is one of rows s * B + b.
  void gather_memory(std::span<const int32_t> kept, int64_t before, int64_t S) {
    Arena& arena = memory_.next();
    const int64_t B = sentences();
    std::vector<int32_t> rows;
    for (int64_t s = 0; s < S; ++s)
      for (const int32_t b : kept) rows.push_back(static_cast<int32_t>(s * before + b));
    const auto gather = [&](Tensor& x) {
      if (x.empty()) return;
      const Tensor y = arena.tensor({S, B, x.shape.last()});
      kernels::gather_rows(x.reshaped({x.shape.rows(), x.shape.last()}), rows.data(), S * B,
                           y.reshaped({S * B, x.shape.last()}));
      x = y;
    };
    gather(keys_);
    gather(values_);
    const Tensor summary = arena.tensor({B, summary_.shape.last()});
    kernels::gather_rows(summary_, kept.data(), B, summary);
    summary_ = summary;
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
  }

  const Parts& parts_;
  std::vector<int32_t> lengths_;
  std::optional<OutputSubset> subset_;  // with shortlists
  int64_t width_ = 1;
  Pair scratch_, memory_, states_;
  Tensor keys_, values_, summary_;
  std::vector<std::vector<Tensor>> layers_;
  Tensor feed_;
};

}  // namespace

std::unique_ptr<DecoderSession> start_session(const Parts& parts, const Batch& batch,
                                              std::span<const Shortlist> shortlists) {
  return std::make_unique<RecurrentSession>(parts, batch, shortlists);
}

}  // namespace heed
