// Recurrent cells. A Cell is one layer with its parameters; a CellWalk goes through the steps
// of a decoder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autograd/history.h"
#include "autograd/ops.h"

namespace heed {

// What a cell carries from step to step, each [B, H]: GRU h; LSTM h, c. h comes first.
using CellState = std::vector<Var>;

// Variational: the same mask of h at every step. Rate 0: none.
struct RecurrentDropout {
  Real rate = 0;
  kernels::DropoutKey key;
};

// A decoder's way through T steps. Products with the recurrent weights
// are collected (CollectedLinear).
class CellWalk {
 public:
  virtual ~CellWalk() = default;
  // Steps go in order, from 0: each starts from the state of the one before. x[t] must hold all
  // input products by then; the step overwrites it. Gives the state after step t.
  virtual CellState step(int64_t t) = 0;
  virtual const History& states() const = 0;  // h
};

class Cell {
 public:
  virtual ~Cell() = default;
  virtual int64_t gates() const = 0;        // blocks of H in an input product: GRU 3, LSTM 4
  virtual int64_t state_parts() const = 0;  // GRU 1, LSTM 2
  int64_t hidden() const { return hidden_; }
  int64_t input_size() const { return gates() * hidden_; }  // of an input product

  // Input products x [T, B, gates * H] = in W + b: the weights of the first input, with
  // the cell's bias.
  Var input(Tape& tape, Var in) const { return linear(tape, in, *input_weight_, input_bias_); }
  // Only the bias, if all inputs come step by step.
  Var input_bias(Tape& tape, int64_t T, int64_t B) const;
  const Parameter& input_weight() const { return *input_weight_; }

  // All steps of a given sequence of input products: h [T, B, H]. initial may be empty: zeros.
  virtual Var sequence(Tape& tape, Consumed x, const CellState& initial,
                       const SequenceOptions& options) const = 0;
  // x [T, B, gates * H] is overwritten step by step.
  virtual std::unique_ptr<CellWalk> walk(Tape& tape, Var x, const CellState& initial,
                                         const RecurrentDropout& dropout) const = 0;

  // Of a step, the product of the first input with its weights included.
  double multiplications() const {
    return static_cast<double>(input_weight_->value.shape.size() + recurrent_->value.shape.size());
  }

 protected:
  int64_t hidden_ = 0;
  const Parameter* input_weight_ = nullptr;  // [E, gates * H]
  const Parameter* input_bias_ = nullptr;    // [gates * H]
  const Parameter* recurrent_ = nullptr;     // [H, gates * H]
};

// Applies the mask of RecurrentDropout.
class RecurrentMask {
 public:
  RecurrentMask(Tape& tape, const Shape& shape, const RecurrentDropout& dropout);
  Var operator()(Var h) const;
  // The sequence of which the masked states of all steps are views: `states` without
  // dropout, else none.
  Var sequence(Var states) const { return mask_ ? Var() : states; }

 private:
  Tape& tape_;
  Var mask_;
};

// Declares "NAME.input" [input_size, gates * H], "NAME.input_bias", "NAME.recurrent" [H, gates * H]
// (GRU also "NAME.recurrent_bias"). The kind is a name of cell_names().
std::unique_ptr<Cell> make_cell(const std::string& kind, ParameterStore& store,
                                const std::string& name, int64_t input_size, int64_t hidden);
std::vector<std::string> cell_names();

}  // namespace heed
