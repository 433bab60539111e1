#include "nn/recurrent/encoder.h"

#include <string>
#include <utility>
#include <vector>

#include "nn/cells/cell.h"

namespace heed {
namespace {

class RecurrentEncoder : public Encoder {
 public:
  RecurrentEncoder(const ModelConfig& config, ParameterStore& store) {
    const EncoderConfig& e = config.encoder;
    int64_t input = config.embedding;
    for (int l = 0; l < e.layers; ++l) {
      const std::string name = "encoder." + std::to_string(l);
      Layer layer;
      layer.forward = make_cell(e.cell, store, name + ".forward", input, e.hidden);
      if (e.bidirectional)
        layer.backward = make_cell(e.cell, store, name + ".backward", input, e.hidden);
      layers_.push_back(std::move(layer));
      input = state_size();
    }
  }

  int64_t state_size() const override {
    const Layer& layer = layers_.front();
    return layer.forward->hidden() * (layer.backward ? 2 : 1);
  }

  EncoderOutput run(Tape& tape, Var words, const SourceBatch& batch,
                    const ForwardOptions& options) const override {
    EncoderOutput out{words, {}, batch.lengths};
    for (size_t l = 0; l < layers_.size(); ++l) {
      run_layer(tape, l, batch.valid, options, out);
      out.states = dropout(tape, out.states, options.dropout.states,
                           dropout_key(options, DropoutPlace::states, static_cast<int64_t>(l)));
    }
    return out;
  }

  double multiplications(double source) const override {
    double per_token = 0;
    for (const Layer& layer : layers_) {
      per_token += layer.forward->multiplications();
      if (layer.backward) per_token += layer.backward->multiplications();
    }
    return source * per_token;
  }

 private:
  struct Layer {
    std::unique_ptr<Cell> forward, backward;  // backward is null in one direction
  };

  // Replaces the states by those of the layer above them.
  void run_layer(Tape& tape, size_t index, const Flags& valid, const ForwardOptions& options,
                 EncoderOutput& out) const {
    const Layer& layer = layers_[index];
    const auto walk = [&](const Cell& cell, bool reverse) {
      const auto key = dropout_key(options, DropoutPlace::encoder_recurrent,
                                   static_cast<int64_t>(2 * index) + reverse);
      return cell.sequence(tape, tape.consume(cell.input(tape, out.states)), {},
                           {valid, reverse, options.dropout.recurrent, key});
    };
    const Var forward = walk(*layer.forward, false);
    out.summary = tape.at(forward, forward.shape()[0] - 1);
    if (layer.backward) {
      const Var backward = walk(*layer.backward, true);
      out.summary = concat(tape, out.summary, tape.at(backward, 0));
      out.states = concat(tape, forward, backward);
    } else {
      out.states = forward;
    }
  }

  std::vector<Layer> layers_;
};

}  // namespace

std::unique_ptr<Encoder> make_recurrent_encoder(const ModelConfig& config, ParameterStore& store) {
  return std::make_unique<RecurrentEncoder>(config, store);
}

}  // namespace heed
