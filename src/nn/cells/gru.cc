// Gated recurrent unit: kernels/cells.h, gru_forward. The recurrent product has a bias of its own,
// since the reset gate multiplies it.
#include "nn/cells/cell.h"

namespace heed {
namespace {

class GruWalk : public CellWalk {
 public:
  GruWalk(Tape& tape, Var x, const Parameter& recurrent, const Parameter& bias, Var initial,
          const RecurrentDropout& dropout)
      : tape_(tape),
        x_(x),
        hid_(broadcast(tape, &bias, x.shape())),
        states_(tape, {x.shape()[0], initial.shape()[0], initial.shape()[1]}),
        mask_(tape, initial.shape(), dropout),
        recurrent_(tape, recurrent, hid_, mask_.sequence(states_.before())) {
    states_.start(initial);
  }

  CellState step(int64_t t) override {
    const Var h = states_.before(t), next = states_.after(t);
    recurrent_.step(t, mask_(h));
    gru_step(tape_, tape_.consume(tape_.at(x_, t)), tape_.consume(tape_.at(hid_, t)), h, next);
    return {next};
  }
  const History& states() const override { return states_; }

 private:
  Tape& tape_;
  Var x_, hid_;
  History states_;
  RecurrentMask mask_;
  CollectedLinear recurrent_;
};

class Gru : public Cell {
 public:
  Gru(ParameterStore& store, const std::string& name, int64_t input_size, int64_t hidden) {
    hidden_ = hidden;
    input_weight_ = &store.add(name + ".input", {input_size, 3 * hidden}, Init::glorot);
    input_bias_ = &store.add(name + ".input_bias", {3 * hidden}, Init::zero);
    recurrent_ = &store.add(name + ".recurrent", {hidden, 3 * hidden}, Init::orthogonal);
    recurrent_bias_ = &store.add(name + ".recurrent_bias", {3 * hidden}, Init::zero);
  }
  int64_t gates() const override { return 3; }
  int64_t state_parts() const override { return 1; }
  Var sequence(Tape& tape, Consumed x, const CellState& initial,
               const SequenceOptions& options) const override {
    return gru_sequence(tape, std::move(x), *recurrent_, *recurrent_bias_,
                        initial.empty() ? Var() : initial[0], options);
  }
  std::unique_ptr<CellWalk> walk(Tape& tape, Var x, const CellState& initial,
                                 const RecurrentDropout& dropout) const override {
    return std::make_unique<GruWalk>(tape, x, *recurrent_, *recurrent_bias_, initial[0], dropout);
  }

 private:
  const Parameter* recurrent_bias_;
};

}  // namespace

std::unique_ptr<Cell> make_gru(ParameterStore& store, const std::string& name, int64_t input_size,
                               int64_t hidden) {
  return std::make_unique<Gru>(store, name, input_size, hidden);
}

}  // namespace heed
