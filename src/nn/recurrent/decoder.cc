#include "nn/recurrent/decoder.h"

#include <utility>

#include "nn/recurrent/decoder_pass.h"
#include "nn/recurrent/decoder_weights.h"

namespace heed {
namespace {

// What WordInputs::parts holds.
enum WordPart { kCell, kReadout };

class RecurrentDecoder : public Decoder {
 public:
  RecurrentDecoder(const ModelConfig& config, ParameterStore& store, int64_t state_size,
                   int64_t readout)
      : weights_(config, store, state_size, readout) {}

  int64_t readout_size() const override { return weights_.readout_size; }
  bool has_attention() const override { return weights_.attention->has_weights(); }

  WordInputs of_words(Tape& tape, Var words) const override {
    const Shape& shape = words.shape();
    const Var cell = weights_.cells.front()->input(tape, words);
    const Var readout =
        weights_.luong
            ? broadcast(tape, weights_.readout_bias, {shape[0], shape[1], readout_size()})
            : linear(tape, words, *weights_.readout_embedding, weights_.readout_bias);
    return WordInputs({cell, readout});
  }
  int64_t word_input_size() const override {
    return weights_.cells.front()->input_size() + readout_size();
  }

  DecoderOutput run(Tape& tape, const EncoderOutput& encoded, WordInputs words,
                    const ForwardOptions& options) const override {
    const RecurrentInputs inputs{words.parts[kCell], words.parts[kReadout]};
    RecurrentState state = start_state(tape, encoded);
    const SourceMemory memory = prepare(tape, encoded);
    if (weights_.luong && !weights_.feeding) return run_whole(tape, memory, inputs, state, options);
    DecoderPass pass(weights_, tape, memory, inputs, std::move(state), options);
    for (int64_t t = 0; t < inputs.cell.shape()[0]; ++t) pass.step(t);
    return pass.finish();
  }

  SourceMemory prepare(Tape& tape, const EncoderOutput& encoded) const override {
    return weights_.attention->prepare(tape, encoded);
  }

  DecoderState start(Tape& tape, const EncoderOutput& encoded) const override {
    return {parts_of(start_state(tape, encoded)), 0};
  }

  DecoderOutput step(Tape& tape, const SourceMemory& memory, WordInputs words,
                     DecoderState& state) const override {
    const RecurrentInputs inputs{words.parts[kCell], words.parts[kReadout]};
    DecoderPass pass(weights_, tape, memory, inputs, state_on(tape, state), {});
    pass.step(0);
    const DecoderOutput out = pass.finish();
    state = {parts_of(pass.state()), state.position + 1};
    return out;
  }

  double multiplications(double source, double target) const override {
    double per_token = 0;
    for (const auto& cell : weights_.cells) per_token += cell->multiplications();
    for (const Parameter* weight : {weights_.context, weights_.feed, weights_.readout_state,
                                    weights_.readout_context, weights_.readout_embedding})
      if (weight != nullptr) per_token += static_cast<double>(weight->value.shape.size());
    return target * per_token + weights_.attention->multiplications(source, target);
  }

 private:
  RecurrentState start_state(Tape& tape, const EncoderOutput& encoded) const {
    RecurrentState state;
    const int64_t B = encoded.summary.shape()[0];
    const auto zeros = [&](int64_t size) { return tape.constant(tape.arena().zeros({B, size})); };
    for (size_t l = 0; l < weights_.cells.size(); ++l) {
      const Cell& cell = *weights_.cells[l];
      const auto& [weight, bias] = weights_.initial[l];
      CellState parts{tanh(tape, linear(tape, encoded.summary, *weight, bias))};
      while (std::ssize(parts) < cell.state_parts()) parts.push_back(zeros(cell.hidden()));
      state.layers.push_back(std::move(parts));
    }
    if (weights_.feeding) state.feed = zeros(readout_size());
    state.attention = weights_.attention->start(encoded);
    return state;
  }

  // A state as the list that DecoderState keeps: layers, feed, attention.
  static std::vector<Tensor> parts_of(const RecurrentState& state) {
    std::vector<Tensor> parts;
    for (const CellState& layer : state.layers)
      for (const Var& part : layer) parts.push_back(part.value());
    if (state.feed) parts.push_back(state.feed.value());
    for (const Var& part : state.attention) parts.push_back(part.value());
    return parts;
  }

  RecurrentState state_on(Tape& tape, const DecoderState& kept) const {
    RecurrentState state;
    auto part = kept.parts.begin();
    for (const auto& cell : weights_.cells) {
      CellState& layer = state.layers.emplace_back();
      while (std::ssize(layer) < cell->state_parts()) layer.push_back(tape.constant(*part++));
    }
    if (weights_.feeding) state.feed = tape.constant(*part++);
    while (part != kept.parts.end()) state.attention.push_back(tape.constant(*part++));
    return state;
  }

  // Without feeding, no step of the Luong decoder needs the context of the one before: every layer
  // is one sequence, and all queries meet the keys at once.
  DecoderOutput run_whole(Tape& tape, const SourceMemory& memory, const RecurrentInputs& inputs,
                          const RecurrentState& state, const ForwardOptions& options) const {
    Var states;
    for (size_t l = 0; l < weights_.cells.size(); ++l) {
      const Cell& cell = *weights_.cells[l];
      const Var x = l == 0 ? inputs.cell : cell.input(tape, states);
      const auto key =
          dropout_key(options, DropoutPlace::decoder_recurrent, static_cast<int64_t>(l));
      states = cell.sequence(tape, tape.consume(x), state.layers[l],
                             {{}, false, options.dropout.recurrent, key});
    }
    const auto [context, weights] = weights_.attention->all(tape, memory, states, state.attention);
    add_linear(tape, states, *weights_.readout_state, inputs.readout);
    add_linear(tape, context, *weights_.readout_context, inputs.readout);
    const Var readout = tanh(tape, inputs.readout);
    tape.give_up_value(inputs.readout);
    return {readout, weights};
  }

  DecoderWeights weights_;
};

}  // namespace

std::unique_ptr<Decoder> make_recurrent_decoder(const ModelConfig& config, ParameterStore& store,
                                                int64_t state_size, int64_t readout) {
  return std::make_unique<RecurrentDecoder>(config, store, state_size, readout);
}

}  // namespace heed
