// Long short-term memory: kernels.h, lstm_forward.
#include "nn/cells/cell.h"

namespace heed {
namespace {

class LstmWalk : public CellWalk {
 public:
  LstmWalk(Tape& tape, Var x, const Parameter& recurrent, Real rate, kernels::DropoutKey key)
      : tape_(tape),
        x_(x),
        recurrent_(tape, recurrent, x),
        states_(tape.result({x.shape()[0], x.shape()[1], recurrent.value.shape[0]}, true)),
        mask_(tape, {x.shape()[1], recurrent.value.shape[0]}, rate, key) {}

  CellState step(int64_t t, const CellState& previous) override {
    recurrent_.step(t, mask_(previous[0]));
    const Var next_h = tape_.step(states_, t), next_c = tape_.result(next_h.shape(), true);
    lstm_step(tape_, tape_.step(x_, t), previous[0], previous[1], next_h, next_c);
    return {next_h, next_c};
  }
  Var states() const override { return states_; }

 private:
  Tape& tape_;
  Var x_;
  CollectedLinear recurrent_;
  Var states_;
  RecurrentMask mask_;
};

class Lstm : public Cell {
 public:
  Lstm(ParameterStore& store, const std::string& name, int64_t input_size, int64_t hidden) {
    hidden_ = hidden;
    if (input_size > 0)
      input_weight_ = &store.add(name + ".input", {input_size, 4 * hidden}, Init::glorot);
    input_bias_ = &store.add(name + ".input_bias", {4 * hidden}, Init::lstm_bias);
    recurrent_ = &store.add(name + ".recurrent", {hidden, 4 * hidden}, Init::orthogonal);
  }
  int64_t gates() const override { return 4; }
  int64_t state_parts() const override { return 2; }
  Var sequence(Tape& tape, Var x, const CellState& initial,
               const SequenceOptions& options) const override {
    return lstm_sequence(tape, x, *recurrent_, initial.empty() ? Var() : initial[0],
                         initial.empty() ? Var() : initial[1], options);
  }
  std::unique_ptr<CellWalk> walk(Tape& tape, Var x, Real rate,
                                 kernels::DropoutKey key) const override {
    return std::make_unique<LstmWalk>(tape, x, *recurrent_, rate, key);
  }
};

}  // namespace

std::unique_ptr<Cell> make_lstm(ParameterStore& store, const std::string& name, int64_t input_size,
                                int64_t hidden) {
  return std::make_unique<Lstm>(store, name, input_size, hidden);
}

}  // namespace heed
