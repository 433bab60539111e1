#include "nn/decoder_pass.h"

#include <algorithm>

namespace heed {

void add_product(Tape& tape, Var x, const Parameter& weight, Var into) {
  const int64_t rows = x.shape().rows();
  const Var inputs = tape.reshape(x, {1, rows, x.shape().last()});
  CollectedLinear product(tape, weight, tape.reshape(into, {1, rows, into.shape().last()}), inputs);
  product.step(0, tape.step(inputs, 0));
}

DecoderPass::DecoderPass(const Decoder& decoder, Tape& tape, const AttentionMemory& memory,
                         const WordInputs& words, const DecoderState& state,
                         const ForwardOptions& options)
    : decoder_(decoder),
      tape_(tape),
      memory_(memory),
      T_(words.cell.shape()[0]),
      rows_(words.cell.shape()[1]),
      state_(state) {
  const auto& cells = decoder.cells_;
  const Var attended = memory.values ? memory.values : memory.summary;
  contexts_ = tape.result({T_, rows_, attended.shape().last()}, true);
  if (decoder.feeding_) feeds_ = History(tape, state.feed, T_);
  upward_.resize(cells.size());
  for (size_t l = 0; l < cells.size(); ++l) {
    inputs_.push_back(l == 0 ? words.cell : cells[l]->input_bias(tape, T_, rows_));
    if (l == 0 && bahdanau())
      context_.emplace(tape, *decoder.context_weight_, inputs_[0], contexts_);
    if (l == 0 && decoder.feeding_)
      feed_.emplace(tape, *decoder.feed_weight_, inputs_[0], feeds_.before());
    if (l > 0)
      upward_[l].emplace(tape, cells[l]->input_weight(), inputs_[l],
                         walks_[l - 1]->states().after());
    const auto key = dropout_key(options, DropoutPlace::decoder_recurrent, static_cast<int64_t>(l));
    walks_.push_back(
        cells[l]->walk(tape, inputs_[l], state.layers[l], options.dropout.recurrent, key));
  }
  const History& states = walks_.back()->states();
  if (decoder.attention_ && decoder.attention_->query_weight() != nullptr) {
    const Parameter& weight = *decoder.attention_->query_weight();
    queries_ = broadcast(tape, nullptr, {T_, rows_, weight.value.shape.last()});
    query_.emplace(tape, weight, queries_, bahdanau() ? states.before() : states.after());
  }
  if (decoder.attention_ && !tape.recording())
    attention_ = tape.arena().tensor({T_, rows_, memory.keys.shape()[0]});
  readout_sum_ = words.readout;
  if (!decoder.feeding_) return;
  readout_state_.emplace(tape, *decoder.readout_state_, readout_sum_, states.after());
  readout_context_.emplace(tape, *decoder.readout_context_, readout_sum_, contexts_);
}

Tensor DecoderPass::attend_one_step(Var query, Var context) {
  const AttentionScore score = decoder_.attention_->score();
  if (memory_.first != nullptr)
    return attend_rows(tape_, score, query, memory_.first, memory_.keys, memory_.values,
                       memory_.lengths, context);
  const auto one_step = [&](Var x) { return tape_.reshape(x, {1, rows_, x.shape().last()}); };
  return attend(tape_, score, one_step(query), memory_.keys, memory_.values, memory_.lengths,
                one_step(context));
}

void DecoderPass::attend_from(int64_t t, Var query_state) {
  const Var context = tape_.step(contexts_, t);
  if (!decoder_.attention_) return copy_rows(tape_, memory_.summary, context);
  Var query = query_state;
  if (query_) {
    query_->step(t, query_state);
    query = tape_.step(queries_, t);
  }
  const Tensor weights = attend_one_step(query, context);
  if (!attention_.empty()) kernels::copy(weights, attention_.at(t));
}

void DecoderPass::step_cells(int64_t t) {
  if (feed_) feed_->step(t, feeds_.before(t));
  for (size_t l = 0; l < walks_.size(); ++l) {
    if (l > 0) upward_[l]->step(t, state_.layers[l - 1][0]);
    state_.layers[l] = walks_[l]->step(t);
  }
}

void DecoderPass::step_readout(int64_t t) {
  if (!decoder_.feeding_) return;
  readout_state_->step(t, state_.layers.back()[0]);
  readout_context_->step(t, tape_.step(contexts_, t));
  state_.feed = feeds_.after(t);
  tanh_into(tape_, tape_.step(readout_sum_, t), state_.feed);
}

void DecoderPass::step(int64_t t) {
  if (bahdanau()) {
    attend_from(t, walks_.back()->states().before(t));
    context_->step(t, tape_.step(contexts_, t));
    step_cells(t);
  } else {
    step_cells(t);
    attend_from(t, state_.layers.back()[0]);
  }
  step_readout(t);
}

DecoderOutput DecoderPass::finish() {
  Var readout;
  if (decoder_.feeding_) {
    readout = feeds_.after();
  } else {
    add_product(tape_, walks_.back()->states().after(), *decoder_.readout_state_, readout_sum_);
    add_product(tape_, contexts_, *decoder_.readout_context_, readout_sum_);
    readout = tanh(tape_, readout_sum_);
  }
  tape_.give_up_value(readout_sum_);
  return {readout, attention_, state_};
}

}  // namespace heed
