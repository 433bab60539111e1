// Long short-term memory: kernels.h, lstm_forward.
#include <utility>

#include "nn/cells/cell.h"

namespace heed {
namespace {

class LstmWalk : public CellWalk {
 public:
  LstmWalk(Tape& tape, Var x, const CellState& initial, const Parameter& recurrent, Real rate,
           kernels::DropoutKey key)
      : tape_(tape),
        x_(x),
        cell_(initial[1]),
        states_(tape, initial[0], x.shape()[0]),
        mask_(tape, initial[0].shape(), rate, key),
        recurrent_(tape, recurrent, x, mask_.sequence(states_.before())) {}

  CellState step(int64_t t) override {
    const Var h = states_.before(t), next_h = states_.after(t);
    recurrent_.step(t, mask_(h));
    const Var next_c = tape_.result(h.shape(), true);
    lstm_step(tape_, tape_.step(x_, t), h, std::exchange(cell_, next_c), next_h, next_c);
    return {next_h, next_c};
  }
  const History& states() const override { return states_; }

 private:
  Tape& tape_;
  Var x_, cell_;  // c after the steps so far
  History states_;
  RecurrentMask mask_;
  CollectedLinear recurrent_;
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
  std::unique_ptr<CellWalk> walk(Tape& tape, Var x, const CellState& initial, Real rate,
                                 kernels::DropoutKey key) const override {
    return std::make_unique<LstmWalk>(tape, x, initial, *recurrent_, rate, key);
  }
};

}  // namespace

std::unique_ptr<Cell> make_lstm(ParameterStore& store, const std::string& name, int64_t input_size,
                                int64_t hidden) {
  return std::make_unique<Lstm>(store, name, input_size, hidden);
}

}  // namespace heed
