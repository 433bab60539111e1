// Every op of the tape, declared once; each is one file in ops/, with its derivative above it.
//
// Rules for all: inputs are read (but for those of cells, which are written over: below), gradients
// accumulate into the inputs that need them, shapes that don't fit throw InternalError "[op] rule.
// Received ...". A gradient of x is called dx. Parameters are passed as such where the op
// multiplies by them, since they carry packed forms; a parameter without a gradient buffer gets
// none.
#pragma once

#include <cstdint>
#include <span>

#include "autograd/parameters.h"
#include "autograd/tape.h"
#include "tensor/kernels/kernels.h"

namespace heed {

// ---- Whole matrices ----

// y [.., N] = x [.., K] W [K, N] (+ bias [N], may be null).
Var linear(Tape& tape, Var x, const Parameter& weight, const Parameter* bias);
// y [.., N] = x [.., K] W^T, W [N, K] (+ bias [N]): the output layer, whose weight may be an
// embedding table.
Var linear_transposed(Tape& tape, Var x, const Parameter& weight, const Parameter* bias);
// y of this shape: every row is the bias [last]; null gives zeros. What collected products add
// into.
Var broadcast(Tape& tape, const Parameter* bias, const Shape& shape);
// y [count.., E]: factor times row ids[i] of the table [V, E]. `shape` is that of the ids, [T, B];
// ids must outlive the tape.
Var embedding(Tape& tape, const Parameter& table, const int32_t* ids, const Shape& shape,
              Real factor);

// ---- Products of a recurrence ----

// y[t] += x W at each of T steps into `into` [T, B, N], in place. The weight gradient of all steps
// is one product over [T*B, ...] when the recurrence has been walked back, not T small ones. Made
// before the first step and after `into` was computed; `into[t]` may be read only once step t is
// done. `inputs` [T, B, K] is the sequence that the x of the steps are steps of; where it is empty,
// the x are copied into one. Its numbers stay as they are until all has been walked back.
class CollectedLinear {
 public:
  CollectedLinear(Tape& tape, const Parameter& weight, Var into, Var inputs = {});
  void step(int64_t t, Var x /*[B, K]*/);

 private:
  Tape& tape_;
  const Parameter& weight_;
  Var into_;
  bool copies_;
  Tensor inputs_;  // [T, B, K], only while recording
};

// ---- Elementwise ----

Var add(Tape& tape, Var a, Var b);       // same shapes
Var multiply(Tape& tape, Var a, Var b);  // same shapes
Var tanh(Tape& tape, Var x);
void tanh_into(Tape& tape, Var x, Var y);  // the same into a given result (a step of a sequence)
Var sigmoid(Tape& tape, Var x);
// Inverted dropout: the mask is a function of the key; rate 0 gives x itself. Srivastava et al.
// 2014.
Var dropout(Tape& tape, Var x, Real rate, kernels::DropoutKey key);
// The mask alone (0 or 1 / (1 - rate)), for a variational dropout that is the same at every step;
// empty where the rate is 0.
Tensor dropout_mask(Tape& tape, const Shape& shape, Real rate, kernels::DropoutKey key);
// Dropout of whole vectors: each row of x, seen as [rows, N], is kept times 1 / (1 - rate) or is
// zero. On embeddings that drops words (Gal and Ghahramani 2016; Sennrich et al. 2016, "Edinburgh
// neural machine translation systems for WMT 16"). Rate 0 gives x itself.
Var drop_rows(Tape& tape, Var x, Real rate, kernels::DropoutKey key);
// [.., n1] and [.., n2] side by side: [.., n1 + n2].
Var concat(Tape& tape, Var a, Var b);
// Rows of x seen as [rows, N]: y [count, N]; rows must outlive the tape. The gradient is added back
// row by row.
Var select_rows(Tape& tape, Var x, std::span<const int32_t> rows);
// y [T, B, N] = x [B, N] at every step.
Var repeat(Tape& tape, Var x, int64_t T);
// y = x, written into a given result (a step of a sequence).
void copy_rows(Tape& tape, Var x, Var y);
// A scalar, sum of x * weights: turns any value into a loss (gradient checks).
Var weighted_sum(Tape& tape, Var x, const Tensor& weights);

// ---- Recurrent cells ----

// Which steps are real: valid[t * B + b] = t < lengths[b]. In the tape's arena.
const uint8_t* valid_steps(Tape& tape, const int32_t* lengths, int64_t T, int64_t B);

struct SequenceOptions {
  const uint8_t* valid = nullptr;  // [T, B]; null: all
  bool reverse = false;            // from the last step to the first
  Real recurrent_dropout =
      0;  // variational: one mask [B, H] for h at every step (Gal & Ghahramani 2016)
  kernels::DropoutKey key;
};
// The x of all four, and gru_step's hid, are results that nobody else reads: gates and gradients
// take their memory (Tape::gradient_in_place).
//
// A whole layer in one direction: x [T, B, 3H] holds the input products with bias; U [H, 3H], bias
// [3H]. Gives all states [T, B, H]; past a sentence's end the state is carried on (forward) or
// still initial (reverse). h0 [B, H] may be empty: zeros. Equations: kernels.h, gru_forward.
Var gru_sequence(Tape& tape, Var x, const Parameter& recurrent, const Parameter& recurrent_bias,
                 Var h0, const SequenceOptions& options);
// x [T, B, 4H], U [H, 4H]. Gives h [T, B, H].
Var lstm_sequence(Tape& tape, Var x, const Parameter& recurrent, Var h0, Var c0,
                  const SequenceOptions& options);
// One step from products that are there already: x, hid [B, 3H], h [B, H]; the new state goes into
// `next` [B, H].
void gru_step(Tape& tape, Var x, Var hid, Var h, Var next);
// x [B, 4H] holds both products.
void lstm_step(Tape& tape, Var x, Var h, Var c, Var next_h, Var next_c);

// ---- Attention ----

struct AttentionScore {
  kernels::ScoreKind kind = kernels::ScoreKind::dot;
  Real scale = 1;
  const Parameter* v = nullptr;  // additive: [A]
};
// Scores, mask, softmax and context in one pass: kernels.h, attention_forward. The context goes
// into `context` [Tq, B, D]; gives the weights [Tq, B, S].
Tensor attend(Tape& tape, const AttentionScore& score, Var queries, Var keys, Var values,
              const int32_t* lengths, Var context);
// Of rows that follow each other, sentence b's from first[b] on (kernels.h,
// attention_forward_of_rows). For tapes that do not record; context [R, D], the weights [R, S].
Tensor attend_rows(Tape& tape, const AttentionScore& score, Var queries, const int32_t* first,
                   Var keys, Var values, const int32_t* lengths, Var context);

// ---- Loss ----

struct CrossEntropyResult {
  Var loss;              // scalar: smoothed cross-entropy summed / rows
  double cross_entropy;  // sum of -log p(target), natural log
};
// hidden [M, R], weight [V, R], bias [V], targets [M] (all real tokens). Output projection,
// log-softmax, label smoothing, loss and, when recording, all gradients in blocks of rows, so that
// [M, V] never exists as a whole. Since the gradients are made on the way forward, this op must be
// the end of the tape (a gradient other than 1 throws).
CrossEntropyResult project_and_cross_entropy(Tape& tape, Var hidden, const Parameter& weight,
                                             const Parameter& bias, const int32_t* targets,
                                             Real smoothing);

}  // namespace heed
