#include "nn/recurrent/decoder_pass.h"

#include <utility>

namespace heed {

DecoderPass::DecoderPass(const DecoderWeights& weights, Tape& tape, const SourceMemory& memory,
                         const RecurrentInputs& inputs, RecurrentState state,
                         const ForwardOptions& options)
    : weights_(weights), tape_(tape), state_(std::move(state)), readout_sum_(inputs.readout) {
  for (size_t l = 0; l < weights.cells.size(); ++l) add_layer(l, inputs.cell, options);
  const History& states = walks_.back()->states();
  attention_ = weights.attention->walk(
      tape, memory, weights.luong ? states.after() : states.before(), state_.attention);
  const Var contexts = attention_->contexts();
  if (weights.context != nullptr)
    context_.emplace(tape, *weights.context, inputs_.front(), contexts);
  if (!weights.feeding) return;
  feeds_ = History(tape, inputs.readout.shape());
  feeds_.start(state_.feed);
  feed_.emplace(tape, *weights.feed, inputs_.front(), feeds_.before());
  readout_state_.emplace(tape, *weights.readout_state, readout_sum_, states.after());
  readout_context_.emplace(tape, *weights.readout_context, readout_sum_, contexts);
}

void DecoderPass::add_layer(size_t l, Var inputs, const ForwardOptions& options) {
  const Cell& cell = *weights_.cells[l];
  if (l > 0) {
    inputs = cell.input_bias(tape_, inputs.shape()[0], inputs.shape()[1]);
    upward_.emplace_back(tape_, cell.input_weight(), inputs, walks_.back()->states().after());
  }
  inputs_.push_back(inputs);
  const auto key = dropout_key(options, DropoutPlace::decoder_recurrent, static_cast<int64_t>(l));
  walks_.push_back(cell.walk(tape_, inputs, state_.layers[l], {options.dropout.recurrent, key}));
}

void DecoderPass::step_cells(int64_t t) {
  if (feed_) feed_->step(t, feeds_.before(t));
  for (size_t l = 0; l < walks_.size(); ++l) {
    if (l > 0) upward_[l - 1].step(t, state_.layers[l - 1][0]);
    state_.layers[l] = walks_[l]->step(t);
  }
}

void DecoderPass::step_readout(int64_t t) {
  if (!weights_.feeding) return;
  readout_state_->step(t, state_.layers.back()[0]);
  readout_context_->step(t, tape_.at(attention_->contexts(), t));
  state_.feed = feeds_.after(t);
  tanh_into(tape_, tape_.at(readout_sum_, t), state_.feed);
}

void DecoderPass::step(int64_t t) {
  if (weights_.luong) {
    step_cells(t);
    attention_->step(t, state_.layers.back()[0]);
  } else {
    attention_->step(t, walks_.back()->states().before(t));
    context_->step(t, tape_.at(attention_->contexts(), t));
    step_cells(t);
  }
  step_readout(t);
}

RecurrentState DecoderPass::state() const {
  return {state_.layers, state_.feed, attention_->state()};
}

DecoderOutput DecoderPass::finish() {
  Var readout;
  if (weights_.feeding) {
    readout = feeds_.after();
  } else {
    add_linear(tape_, walks_.back()->states().after(), *weights_.readout_state, readout_sum_);
    add_linear(tape_, attention_->contexts(), *weights_.readout_context, readout_sum_);
    readout = tanh(tape_, readout_sum_);
  }
  tape_.give_up_value(readout_sum_);
  return {readout, attention_->weights()};
}

}  // namespace heed
