#include "nn/attention/attention.h"

#include <optional>
#include <utility>

namespace heed {
namespace {

// What prepare() puts into SourceMemory::sequences.
enum MemoryPart { kKeys, kValues };

class ScoredWalk : public AttentionWalk {
 public:
  ScoredWalk(Tape& tape, const Score& score, const SourceMemory& memory, Var queries,
             int64_t context_size)
      : tape_(tape), form_(score.form()), memory_(memory) {
    const int64_t T = queries.shape()[0], rows = queries.shape()[1];
    contexts_ = tape.result({T, rows, context_size}, true);
    weights_ = tape.result({T, rows, memory.sequences[kKeys].shape()[0]}, true);
    const Parameter* weight = score.query_weight();
    if (weight == nullptr) return;
    projected_ = broadcast(tape, nullptr, {T, rows, weight->value.shape.last()});
    projection_.emplace(tape, *weight, projected_, queries);
  }

  void step(int64_t t, Var query) override {
    if (projection_) {
      projection_->step(t, query);
      query = tape_.at(projected_, t);
    }
    const Var one_step = tape_.reshape(query, {1, query.shape()[0], query.shape()[1]});
    attend(tape_, form_,
           {one_step,
            memory_.sequences[kKeys],
            memory_.sequences[kValues],
            {memory_.lengths, memory_.row_begin}},
           {tape_.slice(contexts_, t, t + 1), tape_.slice(weights_, t, t + 1)});
  }

  Var contexts() const override { return contexts_; }
  Var weights() const override { return weights_; }
  AttentionState state() const override { return {}; }

 private:
  Tape& tape_;
  AttendForm form_;
  const SourceMemory& memory_;
  Var contexts_, weights_;
  std::optional<CollectedLinear> projection_;  // of the queries, if the score has a weight for them
  Var projected_;                              // [T, rows, A]
};

class ScoredAttention : public Attention {
 public:
  ScoredAttention(std::unique_ptr<Score> score, int64_t context_size)
      : score_(std::move(score)), context_size_(context_size) {}

  bool has_weights() const override { return true; }
  int64_t context_size() const override { return context_size_; }

  SourceMemory prepare(Tape& tape, const EncoderOutput& encoded) const override {
    return {{score_->keys(tape, encoded.states), encoded.states}, encoded.lengths, {}};
  }
  AttentionState start(const EncoderOutput&) const override { return {}; }

  Attended all(Tape& tape, const SourceMemory& memory, Var queries,
               const AttentionState&) const override {
    const Var &keys = memory.sequences[kKeys], &values = memory.sequences[kValues];
    const int64_t T = queries.shape()[0], B = queries.shape()[1];
    const Attended attended{tape.result({T, B, context_size_}, true),
                            tape.result({T, B, keys.shape()[0]}, true)};
    const Parameter* weight = score_->query_weight();
    if (weight != nullptr) queries = linear(tape, queries, *weight, nullptr);
    attend(tape, score_->form(), {queries, keys, values, {memory.lengths, {}}}, attended);
    return attended;
  }

  std::unique_ptr<AttentionWalk> walk(Tape& tape, const SourceMemory& memory, Var queries,
                                      AttentionState) const override {
    return std::make_unique<ScoredWalk>(tape, *score_, memory, queries, context_size_);
  }

  double multiplications(double source, double target) const override {
    const auto size = [](const Parameter* weight) {
      return weight == nullptr ? 0 : static_cast<double>(weight->value.shape.size());
    };
    return source * size(score_->key_weight()) + target * size(score_->query_weight()) +
           source * target * static_cast<double>(key_size() + context_size_);
  }

 private:
  int64_t key_size() const {  // A
    const Parameter* weight = score_->key_weight();
    return weight == nullptr ? context_size_ : weight->value.shape.last();
  }

  std::unique_ptr<Score> score_;
  int64_t context_size_;
};

// Score none: no attention, but the encoder's summary. It is carried per row, since hypotheses of
// one sentence have it in common.
class SummaryWalk : public AttentionWalk {
 public:
  SummaryWalk(Tape& tape, Var summary, int64_t T) : tape_(tape), summary_(summary) {
    contexts_ = tape.result({T, summary.shape()[0], summary.shape()[1]}, true);
  }
  void step(int64_t t, Var) override { copy_rows(tape_, summary_, tape_.at(contexts_, t)); }
  Var contexts() const override { return contexts_; }
  Var weights() const override { return {}; }
  // The summary as it was copied: the state of a step is in that step's memory.
  AttentionState state() const override { return {tape_.at(contexts_, contexts_.shape()[0] - 1)}; }

 private:
  Tape& tape_;
  Var summary_, contexts_;
};

class SummaryOnly : public Attention {
 public:
  explicit SummaryOnly(int64_t context_size) : context_size_(context_size) {}

  bool has_weights() const override { return false; }
  int64_t context_size() const override { return context_size_; }
  SourceMemory prepare(Tape&, const EncoderOutput& encoded) const override {
    return {{}, encoded.lengths, {}};
  }
  AttentionState start(const EncoderOutput& encoded) const override { return {encoded.summary}; }
  Attended all(Tape& tape, const SourceMemory&, Var queries,
               const AttentionState& state) const override {
    return {repeat(tape, state[0], queries.shape()[0]), {}};
  }
  std::unique_ptr<AttentionWalk> walk(Tape& tape, const SourceMemory&, Var queries,
                                      AttentionState state) const override {
    return std::make_unique<SummaryWalk>(tape, state[0], queries.shape()[0]);
  }
  double multiplications(double, double) const override { return 0; }

 private:
  int64_t context_size_;
};

}  // namespace

std::unique_ptr<Attention> make_attention(const AttentionConfig& config, ParameterStore& store,
                                          int64_t query, int64_t state) {
  std::unique_ptr<Score> score = make_score(config.score, store, {query, state, config.size});
  if (!score) return std::make_unique<SummaryOnly>(state);
  return std::make_unique<ScoredAttention>(std::move(score), state);
}

}  // namespace heed
