#include "nn/decoder.h"

#include "nn/decoder_pass.h"

namespace heed {

Decoder::Decoder(const ModelConfig& config, ParameterStore& store, int64_t state_size,
                 int64_t readout)
    : luong_(config.decoder.style == "luong"),
      feeding_(config.decoder.input_feeding),
      readout_(readout) {
  const DecoderConfig& d = config.decoder;
  const int64_t H = d.hidden;
  attention_ =
      make_attention(config.attention.score, store, {H, state_size, config.attention.size});
  for (int l = 0; l < d.layers; ++l) {
    const std::string layer = std::to_string(l);
    initial_.push_back(
        {&store.add("decoder.initial." + layer + ".weight", {state_size, H}, Init::glorot),
         &store.add("decoder.initial." + layer + ".bias", {H}, Init::zero)});
    cells_.push_back(
        make_cell(d.cell, store, "decoder." + layer, l == 0 ? config.embedding : H, H));
  }
  const int64_t gates = cells_.front()->gates() * H;
  if (!luong_) context_weight_ = &store.add("decoder.0.context", {state_size, gates}, Init::glorot);
  if (feeding_) feed_weight_ = &store.add("decoder.0.feed", {readout, gates}, Init::glorot);
  readout_state_ = &store.add("readout.state", {H, readout}, Init::glorot);
  if (!luong_)
    readout_embedding_ = &store.add("readout.embedding", {config.embedding, readout}, Init::glorot);
  readout_context_ = &store.add("readout.context", {state_size, readout}, Init::glorot);
  readout_bias_ = &store.add("readout.bias", {readout}, Init::zero);
}

AttentionMemory Decoder::prepare(Tape& tape, const EncoderOutput& encoded) const {
  if (!attention_) return {{}, {}, encoded.summary, encoded.lengths};
  return {attention_->keys(tape, encoded.states), encoded.states, encoded.summary, encoded.lengths};
}

DecoderState Decoder::start(Tape& tape, Var summary) const {
  DecoderState state;
  const int64_t B = summary.shape()[0];
  for (size_t l = 0; l < cells_.size(); ++l) {
    CellState parts{tanh(tape, linear(tape, summary, *initial_[l].weight, initial_[l].bias))};
    while (static_cast<int64_t>(parts.size()) < cells_[l]->state_parts())
      parts.push_back(tape.constant(tape.arena().zeros({B, cells_[l]->hidden()})));
    state.layers.push_back(std::move(parts));
  }
  if (feeding_) state.feed = tape.constant(tape.arena().zeros({B, readout_}));
  return state;
}

WordInputs Decoder::of_words(Tape& tape, Var embedded) const {
  const Shape& shape = embedded.shape();
  return {cells_.front()->input(tape, embedded),
          luong_ ? broadcast(tape, readout_bias_, {shape[0], shape[1], readout_})
                 : linear(tape, embedded, *readout_embedding_, readout_bias_)};
}

DecoderOutput Decoder::run(Tape& tape, const AttentionMemory& memory, const WordInputs& words,
                           const DecoderState& state, const ForwardOptions& options,
                           bool want_last) const {
  if (luong_ && !feeding_ && !want_last) return run_whole(tape, memory, words, state, options);
  DecoderPass pass(*this, tape, memory, words, state, options);
  for (int64_t t = 0; t < words.cell.shape()[0]; ++t) pass.step(t);
  return pass.finish();
}

// Without feeding, no step of the Luong decoder needs the attention of the one before: every layer
// is one sequence and all queries meet the keys at once.
DecoderOutput Decoder::run_whole(Tape& tape, const AttentionMemory& memory, const WordInputs& words,
                                 const DecoderState& state, const ForwardOptions& options) const {
  Var states;
  for (size_t l = 0; l < cells_.size(); ++l) {
    const auto key = dropout_key(options, DropoutPlace::decoder_recurrent, static_cast<int64_t>(l));
    states = cells_[l]->sequence(tape, l == 0 ? words.cell : cells_[l]->input(tape, states),
                                 state.layers[l], {nullptr, false, options.dropout.recurrent, key});
  }
  const int64_t T = words.cell.shape()[0], B = words.cell.shape()[1];
  DecoderOutput out;
  Var context;
  if (attention_) {
    context = tape.result({T, B, memory.values.shape().last()}, true);
    const Parameter* weight = attention_->query_weight();
    const Var queries = weight == nullptr ? states : linear(tape, states, *weight, nullptr);
    const Tensor weights = attend(tape, attention_->score(), queries, memory.keys, memory.values,
                                  memory.lengths, context);
    if (!tape.recording()) out.attention = weights;
  } else {
    context = repeat(tape, memory.summary, T);
  }
  const Var sum = words.readout;
  add_product(tape, states, *readout_state_, sum);
  add_product(tape, context, *readout_context_, sum);
  out.readout = tanh(tape, sum);
  tape.give_up_value(sum);
  return out;
}

}  // namespace heed
