// Gated recurrent unit: kernels.h, gru_forward. The recurrent product has a bias of its own, since
// the reset gate multiplies it.
#include "nn/cells/cell.h"

namespace heed {
namespace {

class GruWalk : public CellWalk {
 public:
  GruWalk(Tape& tape, Var x, const CellState& initial, const Parameter& recurrent,
          const Parameter& bias, Real rate, kernels::DropoutKey key)
      : tape_(tape),
        x_(x),
        hid_(broadcast(tape, &bias, x.shape())),
        states_(tape, initial[0], x.shape()[0]),
        mask_(tape, initial[0].shape(), rate, key),
        recurrent_(tape, recurrent, hid_, mask_.sequence(states_.before())) {}

  CellState step(int64_t t) override {
    const Var h = states_.before(t), next = states_.after(t);
    recurrent_.step(t, mask_(h));
    gru_step(tape_, tape_.step(x_, t), tape_.step(hid_, t), h, next);
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
    if (input_size > 0)
      input_weight_ = &store.add(name + ".input", {input_size, 3 * hidden}, Init::glorot);
    input_bias_ = &store.add(name + ".input_bias", {3 * hidden}, Init::zero);
    recurrent_ = &store.add(name + ".recurrent", {hidden, 3 * hidden}, Init::orthogonal);
    recurrent_bias_ = &store.add(name + ".recurrent_bias", {3 * hidden}, Init::zero);
  }
  int64_t gates() const override { return 3; }
  int64_t state_parts() const override { return 1; }
  Var sequence(Tape& tape, Var x, const CellState& initial,
               const SequenceOptions& options) const override {
    return gru_sequence(tape, x, *recurrent_, *recurrent_bias_,
                        initial.empty() ? Var() : initial[0], options);
  }
  std::unique_ptr<CellWalk> walk(Tape& tape, Var x, const CellState& initial, Real rate,
                                 kernels::DropoutKey key) const override {
    return std::make_unique<GruWalk>(tape, x, initial, *recurrent_, *recurrent_bias_, rate, key);
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
