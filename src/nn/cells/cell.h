// Recurrent cells. To add one: a file here with a class and a row in cells/table.cc (and the name
// in config/schema).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "nn/history.h"

namespace heed {

// What a cell carries from step to step, each [B, H]: GRU h; LSTM h, c. h comes first.
using CellState = std::vector<Var>;

// The walk of a decoder through T steps: products with the recurrent weights are collected
// (CollectedLinear).
class CellWalk {
 public:
  virtual ~CellWalk() = default;
  // Steps go in order, from 0: each starts from the state of the one before. x[t] must hold all
  // input products by then. Gives the state after step t.
  virtual CellState step(int64_t t) = 0;
  virtual const History& states() const = 0;  // h
};

class Cell {
 public:
  virtual ~Cell() = default;
  virtual int64_t gates() const = 0;        // blocks of H in an input product: GRU 3, LSTM 4
  virtual int64_t state_parts() const = 0;  // GRU 1, LSTM 2
  int64_t hidden() const { return hidden_; }

  // Input products x [T, B, gates * H] = in W + b: the weights of the first input, with the cell's
  // bias.
  Var input(Tape& tape, Var in) const { return linear(tape, in, *input_weight_, input_bias_); }
  // Only the bias, where all inputs come step by step.
  Var input_bias(Tape& tape, int64_t T, int64_t B) const;
  const Parameter& input_weight() const { return *input_weight_; }

  // All steps of a given sequence of input products: h [T, B, H]. initial may be empty: zeros. Here
  // and in a walk x is read by nobody else: gates are written over it.
  virtual Var sequence(Tape& tape, Var x, const CellState& initial,
                       const SequenceOptions& options) const = 0;
  virtual std::unique_ptr<CellWalk> walk(Tape& tape, Var x, const CellState& initial,
                                         Real recurrent_dropout, kernels::DropoutKey key) const = 0;

 protected:
  int64_t hidden_ = 0;
  const Parameter* input_weight_ = nullptr;  // [E, gates * H]
  const Parameter* input_bias_ = nullptr;    // [gates * H]
  const Parameter* recurrent_ = nullptr;     // [H, gates * H]
};

// h with a variational dropout mask: the same for all steps. Rate 0: h itself.
class RecurrentMask {
 public:
  RecurrentMask(Tape& tape, const Shape& shape, Real rate, kernels::DropoutKey key);
  Var operator()(Var h) const;
  // Where the masked states of all steps lie in a row: `states` at rate 0, else nowhere.
  Var sequence(Var states) const { return mask_ ? Var() : states; }

 private:
  Tape& tape_;
  Var mask_;
};

// Declares "NAME.input" [input_size, gates * H], "NAME.input_bias", "NAME.recurrent" [H, gates * H]
// (GRU also "NAME.recurrent_bias"). An input_size of 0 declares no input weight. The kind is a name
// of cell_names().
std::unique_ptr<Cell> make_cell(const std::string& kind, ParameterStore& store,
                                const std::string& name, int64_t input_size, int64_t hidden);
std::vector<std::string> cell_names();

std::unique_ptr<Cell> make_gru(ParameterStore& store, const std::string& name, int64_t input_size,
                               int64_t hidden);
std::unique_ptr<Cell> make_lstm(ParameterStore& store, const std::string& name, int64_t input_size,
                                int64_t hidden);

}  // namespace heed
