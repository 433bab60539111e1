#include "nn/encoder.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace heed {

Var embed(Tape& tape, const Parameter& table, const TokenId* ids, const Shape& shape) {
  const Real factor = std::sqrt(static_cast<Real>(table.value.shape.last()));
  return embedding(tape, table, ids, shape, factor);
}

Var scaled_words(Tape& tape, const Tensor& words, std::span<const Real> factors) {
  if (factors.empty()) return tape.leaf(words);
  check(static_cast<int64_t>(factors.size()) == words.shape.rows(),
        "[scaled_words] a factor for each word. Received {} for {}", factors.size(),
        words.shape.text());
  const Tensor scaled = tape.arena().zeros(words.shape);
  const Tensor rows = tape.arena().tensor({words.shape.rows()});
  std::copy(factors.begin(), factors.end(), rows.data);
  kernels::add_scaled_rows(rows, words, scaled);
  return tape.leaf(scaled);
}

Encoder::Encoder(const EncoderConfig& config, ParameterStore& store, const Parameter& table)
    : table_(table) {
  int64_t input = table.value.shape.last();
  for (int l = 0; l < config.layers; ++l) {
    const std::string name = "encoder." + std::to_string(l);
    Layer layer;
    layer.forward = make_cell(config.cell, store, name + ".forward", input, config.hidden);
    if (config.bidirectional)
      layer.backward = make_cell(config.cell, store, name + ".backward", input, config.hidden);
    layers_.push_back(std::move(layer));
    input = state_size();
  }
}

int64_t Encoder::state_size() const {
  const Layer& layer = layers_.front();
  return layer.forward->hidden() * (layer.backward ? 2 : 1);
}

Var Encoder::run_layer(Tape& tape, size_t index, Var input, const uint8_t* valid,
                       const ForwardOptions& options, Var& summary) const {
  const Layer& layer = layers_[index];
  const auto walk = [&](const Cell& cell, bool reverse) {
    const auto key = dropout_key(options, DropoutPlace::encoder_recurrent,
                                 static_cast<int64_t>(2 * index) + reverse);
    return cell.sequence(tape, cell.input(tape, input), {},
                         {valid, reverse, options.dropout.recurrent, key});
  };
  const Var forward = walk(*layer.forward, false);
  summary = tape.step(forward, forward.shape()[0] - 1);
  if (!layer.backward) return forward;
  const Var backward = walk(*layer.backward, true);
  summary = concat(tape, summary, tape.step(backward, 0));
  return concat(tape, forward, backward);
}

Var Encoder::words(Tape& tape, const Batch& batch) const {
  return embed(tape, table_, batch.source.data(), {batch.S, batch.B});
}

EncoderOutput Encoder::run(Tape& tape, Var words, const Batch& batch,
                           const ForwardOptions& options) const {
  const int32_t* lengths = batch.source_length.data();
  const uint8_t* valid = valid_steps(tape, lengths, batch.S, batch.B);
  Var states = drop_rows(tape, words, options.dropout.word,
                         dropout_key(options, DropoutPlace::source_words));
  states = dropout(tape, states, options.dropout.embedding,
                   dropout_key(options, DropoutPlace::source_embedding));
  Var summary;
  for (size_t l = 0; l < layers_.size(); ++l) {
    states = run_layer(tape, l, states, valid, options, summary);
    states = dropout(tape, states, options.dropout.states,
                     dropout_key(options, DropoutPlace::states, static_cast<int64_t>(l)));
  }
  return {states, summary, lengths};
}

}  // namespace heed
