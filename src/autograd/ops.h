// Every op of the tape, declared once; ops/ has their definitions, each with its
// derivative above it.
//
// Rules for all: inputs are read only, unless an op takes them as Consumed; gradients accumulate
// into the inputs that need them; shapes that don't fit throw InternalError "[op] rule. Received
// ...". A gradient of x is called dx. Parameters are passed as such if the op multiplies by them,
// since they carry packed forms; a parameter without a gradient buffer gets no gradient.
#pragma once

#include <cstdint>

#include "autograd/parameters.h"
#include "autograd/tape.h"
#include "tensor/kernels/kernels.h"

namespace heed {

// ---- Whole matrices ----

// y [.., C] = x [.., K] W [K, C] (+ bias [C], may be null).
Var linear(Tape& tape, Var x, const Parameter& weight, const Parameter* bias);
// y [.., C] = x [.., K] W^T, W [C, K] (+ bias [C]): the output layer, whose weight may be
// an embedding table.
Var linear_transposed(Tape& tape, Var x, const Parameter& weight, const Parameter* bias);
// into [.., C] += x [.., K] W. `into` was computed and is read by nobody yet.
void add_linear(Tape& tape, Var x, const Parameter& weight, Var into);
// y of this shape: every row is the bias [last]; null gives zeros. What collected products add to.
Var broadcast(Tape& tape, const Parameter* bias, const Shape& shape);
// y [T, B, E]: factor times row ids[t, b] of the table [V, E].
Var embedding(Tape& tape, const Parameter& table, const Ids& ids, Real factor);

// ---- Products of a recurrence ----

// y[t] += x W at each of T steps, into the steps of `into` [T, B, C], in place. The weight gradient
// of all steps is one product over [T*B, ...] once the backward pass is through the recurrence, not
// T small ones. Make it before the first step and after `into` was computed; `into[t]` may be read
// only once step t is done. `inputs` [T, B, K] is the sequence of which the x of the steps are
// views; if it is empty, they are copied into one. Its elements must stay as they are until the
// backward pass is through.
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
void tanh_into(Tape& tape, Var x, Var y);  // into a given result, as a step of a sequence
Var sigmoid(Tape& tape, Var x);
// Inverted dropout: the mask is a function of the key; rate 0 gives x itself. Srivastava
// et al. 2014.
Var dropout(Tape& tape, Var x, Real rate, kernels::DropoutKey key);
// The mask alone (0 or 1 / (1 - rate)), for a variational dropout that is the same at every step;
// empty if the rate is 0.
Tensor dropout_mask(Tape& tape, const Shape& shape, Real rate, kernels::DropoutKey key);
// Dropout of whole vectors: each row of x, seen as [M, C], is multiplied by 0 or 1 / (1 - rate). On
// embeddings that drops words (Gal and Ghahramani 2016; Sennrich et al. 2016, "Edinburgh neural
// machine translation systems for WMT 16"). Rate 0 gives x itself.
Var drop_rows(Tape& tape, Var x, Real rate, kernels::DropoutKey key);
// [.., C1] and [.., C2] side by side: [.., C1 + C2].
Var concat(Tape& tape, Var a, Var b);
// Rows of x seen as [M, C]: y [count, C]. The gradient is added back row by row.
Var select_rows(Tape& tape, Var x, const Ids& rows);
// y [T, B, C] = x [B, C] at every step.
Var repeat(Tape& tape, Var x, int64_t T);
// y = x, written into a given result, as a step of a sequence.
void copy_rows(Tape& tape, Var x, Var y);
// A scalar, the sum of x * weights: turns any value into a loss (gradient checks).
Var weighted_sum(Tape& tape, Var x, const Tensor& weights);

// ---- Recurrent cells ----

struct SequenceOptions {
  Flags valid;           // [T, B]: which steps are inside their sentence; empty: all
  bool reverse = false;  // from the last step to the first
  // Variational: one mask [B, H] of h for all steps (Gal & Ghahramani 2016).
  Real recurrent_dropout = 0;
  kernels::DropoutKey key;
};
// A whole layer in one direction: x [T, B, 3H] holds the input products with bias; U [H, 3H], bias
// [3H]. Gives all states [T, B, H]; past a sentence's end the state is carried on (forward) or
// still initial (reverse). h0 [B, H] may be empty: zeros. Equations: kernels/cells.h, gru_forward.
Var gru_sequence(Tape& tape, Consumed x, const Parameter& recurrent,
                 const Parameter& recurrent_bias, Var h0, const SequenceOptions& options);
// x [T, B, 4H], U [H, 4H]. Gives h [T, B, H].
struct LstmVars {
  Var h, c;  // [B, H]
};
Var lstm_sequence(Tape& tape, Consumed x, const Parameter& recurrent, const LstmVars& initial,
                  const SequenceOptions& options);
// One step from products that exist: x, hid [B, 3H], h [B, H]; the new state goes into
// `next` [B, H].
void gru_step(Tape& tape, Consumed x, Consumed hid, Var h, Var next);
// x [B, 4H] holds both products.
void lstm_step(Tape& tape, Consumed x, const LstmVars& state, const LstmVars& next);

// ---- Attention ----

// kernels::AttentionForm whose v is a parameter.
struct AttendForm {
  kernels::ScoreKind score = kernels::ScoreKind::dot;
  Real scale = 1;
  const Parameter* v = nullptr;  // additive: [A]
};
// queries [Tq, B, A], keys [S, B, A], values [S, B, D]. A mask with row_begin is for search: such a
// tape does not record, and queries, context and weights have M rows in place of Tq B.
struct AttendInputs {
  Var queries, keys, values;
  kernels::AttentionMask mask;
};
struct Attended {
  Var context;  // [Tq, B, D]
  Var weights;  // [Tq, B, S]
};
// Scores, mask, softmax and context in one pass (kernels/attention.h), into given results, as steps
// of sequences. A gradient of the weights is passed on if an op has asked for it.
void attend(Tape& tape, const AttendForm& form, const AttendInputs& inputs, const Attended& into);

// ---- Loss ----

struct CrossEntropyResult {
  Var loss;  // scalar: smoothed cross-entropy, mean over rows
  // [3] on the device: the loss, the sum over rows of -log p(target), natural log, and a place for
  // the caller's own sum, so that one read gets all figures of an update.
  Sums totals;
};
// hidden [M, R], weight [V, R], bias [V], targets [M] (all of real tokens). Output projection,
// log-softmax, label smoothing, loss and, if the tape records, all gradients in blocks of rows, so
// that the logits [M, V] never exist as a whole. Since the gradients are made during the forward
// pass, the gradient of the loss must be 1; any other throws.
CrossEntropyResult project_and_cross_entropy(Tape& tape, Var hidden, const Parameter& weight,
                                             const Parameter& bias, const Ids& targets,
                                             Real smoothing);

}  // namespace heed
