// Long short-term memory: kernels/cells.h, lstm_forward.
#include <utility>

#include "nn/cells/cell.h"

namespace heed {
namespace {

class LstmWalk : public CellWalk {
 public:
  LstmWalk(Tape& tape, Var x, const Parameter& recurrent, const LstmVars& initial,
           const RecurrentDropout& dropout)
      : tape_(tape),
        x_(x),
        cell_(initial.c),
        states_(tape, {x.shape()[0], initial.h.shape()[0], initial.h.shape()[1]}),
        mask_(tape, initial.h.shape(), dropout),
        recurrent_(tape, recurrent, x, mask_.sequence(states_.before())) {
    states_.start(initial.h);
  }

  CellState step(int64_t t) override {
    const Var h = states_.before(t), next_h = states_.after(t);
    recurrent_.step(t, mask_(h));
    const Var next_c = tape_.result(h.shape(), true);
    lstm_step(tape_, tape_.consume(tape_.at(x_, t)), {h, std::exchange(cell_, next_c)},
              {next_h, next_c});
    return {next_h, next_c};
  }
  const History& states() const override { return states_; }

 private:
  Tape& tape_;
  Var x_, cell_;  // cell_: c after the steps so far
  History states_;
  RecurrentMask mask_;
  CollectedLinear recurrent_;
};

class Lstm : public Cell {
 public:
  Lstm(ParameterStore& store, const std::string& name, int64_t input_size, int64_t hidden) {
    hidden_ = hidden;
    input_weight_ = &store.add(name + ".input", {input_size, 4 * hidden}, Init::glorot);
    input_bias_ = &store.add(name + ".input_bias", {4 * hidden}, Init::lstm_bias);
    recurrent_ = &store.add(name + ".recurrent", {hidden, 4 * hidden}, Init::orthogonal);
  }
  int64_t gates() const override { return 4; }
  int64_t state_parts() const override { return 2; }
  Var sequence(Tape& tape, Consumed x, const CellState& initial,
               const SequenceOptions& options) const override {
    return lstm_sequence(tape, std::move(x), *recurrent_, vars(initial), options);
  }
  std::unique_ptr<CellWalk> walk(Tape& tape, Var x, const CellState& initial,
                                 const RecurrentDropout& dropout) const override {
    return std::make_unique<LstmWalk>(tape, x, *recurrent_, vars(initial), dropout);
  }

 private:
  static LstmVars vars(const CellState& state) {
    return state.empty() ? LstmVars{} : LstmVars{state[0], state[1]};
  }
};

}  // namespace

std::unique_ptr<Cell> make_lstm(ParameterStore& store, const std::string& name, int64_t input_size,
                                int64_t hidden) {
  return std::make_unique<Lstm>(store, name, input_size, hidden);
}

}  // namespace heed
