#include "nn/step_session.h"

#include <numeric>
#include <optional>
#include <vector>

#include "base/error.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

// Two arenas in turn: what is new is written into one while the old is read from the other.
class ArenaPair {
 public:
  explicit ArenaPair(Device device) : first_(device), second_(device) {}

  Arena& next() {
    use_first_ = !use_first_;
    Arena& arena = use_first_ ? first_ : second_;
    arena.reset();
    return arena;
  }

 private:
  Arena first_, second_;
  bool use_first_ = false;
};

class StepSession : public DecoderSession {
 public:
  StepSession(const Network& network, const WordTable& words, const Batch& batch,
              std::span<const Shortlist> shortlists)
      : network_(network),
        words_(words),
        row_begin_(static_cast<size_t>(batch.B) + 1),
        steps_(device()),
        states_(device()),
        memory_(device()) {
    std::iota(row_begin_.begin(), row_begin_.end(), 0);
    check(shortlists.empty() || std::ssize(shortlists) == batch.B,
          "[start] a shortlist for each sentence, or none. Received {} for {}", shortlists.size(),
          batch.B);
    if (!shortlists.empty()) subset_.emplace(network.output.restricted_to(shortlists));
    encode(batch);
  }

  StepResult step(std::span<const TokenId> previous) override {
    check(std::ssize(previous) == rows(), "[step] one token for each row. Received {} for {} rows",
          previous.size(), rows());
    Arena& arena = steps_.next();
    Tape tape(arena, false);
    SourceMemory memory{
        {}, lengths_, upload(arena, row_begin_, {std::ssize(row_begin_)}, {0, rows() + 1})};
    for (const Tensor& sequence : sequences_) memory.sequences.push_back(tape.constant(sequence));
    const Ids words = upload(arena, previous, {1, rows()}, {0, network_.output.vocabulary()});
    const DecoderOutput out =
        network_.decoder->step(tape, memory, words_.inputs(tape, words), state_);
    return {log_probabilities(tape, tape.at(out.readout, 0)),
            out.weights ? out.weights.value().at(0) : Tensor{}};
  }

  // What attention reads of a sentence without rows stays in memory, but nothing looks at it.
  void reorder(std::span<const int32_t> from, std::span<const int32_t> counts) override {
    const int64_t kept = std::accumulate(counts.begin(), counts.end(), int64_t{0});
    check(counts.size() + 1 == row_begin_.size() && kept == std::ssize(from) && kept > 0,
          "[reorder] a count for each of {} sentences, {} rows together. Received {} and {}",
          row_begin_.size() - 1, from.size(), counts.size(), kept);
    Arena& arena = states_.next();
    state_.reorder(arena, upload(arena, from, {kept}, {0, rows()}));
    std::partial_sum(counts.begin(), counts.end(), row_begin_.begin() + 1);
  }

 private:
  Device device() const { return network_.output.weight().value.device; }
  int64_t rows() const { return row_begin_.back(); }

  void encode(const Batch& batch) {
    Arena& arena = steps_.next();
    Tape tape(arena, false);
    const int64_t vocabulary = network_.embeddings.source_table().value.shape[0];
    const EncoderOutput encoded =
        network_.encode(tape, upload_source(arena, batch, vocabulary), {});
    for (const Var& sequence : network_.decoder->prepare(tape, encoded).sequences) {
      sequences_.push_back(memory_.tensor(sequence.shape()));
      kernels::copy(sequence.value(), sequences_.back());
    }
    lengths_ = upload(memory_, batch.source_length, {batch.B}, {0, batch.S + 1});
    state_ = network_.decoder->start(tape, encoded);
  }

  // [rows, V], or as OutputSubset lays it out.
  Tensor log_probabilities(Tape& tape, Var readout) const {
    if (subset_) return subset_->log_probabilities(tape.arena(), readout.value(), row_begin_);
    return network_.output.log_probabilities(tape, readout);
  }

  const Network& network_;
  const WordTable& words_;
  std::vector<int32_t> row_begin_;      // the first row of each sentence, and the end [B + 1]
  std::optional<OutputSubset> subset_;  // with shortlists
  // The state is where it was computed, which is not touched before the step after the next.
  ArenaPair steps_, states_;
  DecoderState state_;
  Arena memory_;
  std::vector<Tensor> sequences_;  // of SourceMemory
  Ids lengths_;
};

}  // namespace

std::unique_ptr<DecoderSession> start_session(const Network& network, const WordTable& words,
                                              const Batch& batch,
                                              std::span<const Shortlist> shortlists) {
  return std::make_unique<StepSession>(network, words, batch, shortlists);
}

}  // namespace heed
