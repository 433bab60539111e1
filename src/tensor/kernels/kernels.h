// Every kernel, declared once. The only door from tensors to arithmetic; cpu/ stands behind it,
// cuda/ may later.
//
// Rules for all: operands are contiguous, 64-byte alignment is not required, outputs start
// uninitialised unless the comment says "+=". Results are the same bits for any number of threads.
// Sizes of zero are allowed. Shapes that don't fit throw InternalError "[kernel] rule. Received
// ...". `lengths[b]` counts the valid positions of sentence b; positions from lengths[b] on are
// padding.
#pragma once

#include <cstdint>
#include <memory>

#include "tensor/tensor.h"

namespace heed::kernels {

// -------------------------------------------------------------------------------------------------
// Elementwise

void fill(Tensor y, Real value);
void copy(const Tensor& x, Tensor y);                       // y = x, sizes equal
void add(const Tensor& x, Tensor y);                        // y += x
void add_scaled(Real scale, const Tensor& x, Tensor y);     // y += scale x
void move_towards(Real share, const Tensor& x, Tensor y);   // y += share (x - y)
void swap(Tensor x, Tensor y);                              // each takes the numbers of the other
void multiply(const Tensor& a, const Tensor& b, Tensor y);  // y = a b
void multiply_add(const Tensor& a, const Tensor& b, Tensor y);  // y += a b
void add_bias(const Tensor& bias /*[N]*/, Tensor y /*[M,N]*/);  // every row of y += bias
// dbias [N] += the column sums of dy [M, N], in a fixed order.
void sum_rows(const Tensor& dy, Tensor dbias);
double sum(const Tensor& x);             // in double, fixed order
double sum_of_squares(const Tensor& x);  // in double, fixed order; inf or NaN pass through

// tanh and sigmoid: |error| <= 4 ulp or 2e-7 absolute, whichever is larger. The exp of softmax,
// attention and cross-entropy, of numbers x <= 0: 2 ulp, before AVX2 2 + |x| ulp. All tested
// against the double library.
void tanh(const Tensor& x, Tensor y);
void tanh_backward(const Tensor& y, const Tensor& dy, Tensor dx);  // dx += dy (1 - y^2)
void sigmoid(const Tensor& x, Tensor y);
void sigmoid_backward(const Tensor& y, const Tensor& dy, Tensor dx);  // dx += dy y (1 - y)

// y = x keep / (1 - rate), keep drawn from Philox (seed, stream, element index); dropout_backward
// draws the same mask again: dx += dy keep / (1 - rate). 0 <= rate < 1. x and y may be the same
// tensor.
struct DropoutKey {
  uint64_t seed = 0, stream = 0;
};
void dropout(const Tensor& x, Real rate, DropoutKey key, Tensor y);
void dropout_backward(const Tensor& dy, Real rate, DropoutKey key, Tensor dx);

// Rows put side by side: y [M, n1 + n2 + ...]. `offset` is the first column that x [M, n] takes in
// y [M, N].
void copy_into_columns(const Tensor& x, int64_t offset, Tensor y);
void add_from_columns(const Tensor& dy, int64_t offset,
                      Tensor dx);  // dx += dy[:, offset : offset + n]
// y[i, :] += factors[i] x[i, :], factors [M], x and y [M, N]; a factor of 0 leaves the row alone.
void add_scaled_rows(const Tensor& factors, const Tensor& x, Tensor y);
// y[i, :] = factor x[rows[i], :] (beam reordering, embedding look-up). rows in range is checked.
void gather_rows(const Tensor& x, const int32_t* rows, int64_t count, Tensor y, Real factor = 1);
// dx[rows[i], :] += factor dy[i, :], rows in the order of i (embedding gradient).
void scatter_add_rows(const Tensor& dy, const int32_t* rows, int64_t count, Tensor dx,
                      Real factor = 1);

// -------------------------------------------------------------------------------------------------
// Matrix products

// Number type of the operands of a packed product. What is summed and what comes out is f32 always.
//   bf16: both operands rounded to 8 bits of mantissa, to nearest, ties to even.
//   int8: both as whole numbers in [-127, 127] times a scale: max |x| / 127 of each column of b and
//   of each row of a.
enum class Precision { f32, bf16, int8 };
// Whether this build can multiply so. f32 always; the others through oneDNN.
bool has_precision(Precision precision);
// Whether this processor has instructions for it; without them it is slower than f32.
bool is_native(Precision precision);

// The right-hand matrix of a product, [K, N], kept in the layout that the GEMM likes, cut into
// fixed column tiles. pack() again after its numbers changed. Packing costs about as much as
// copying the matrix.
class PackedMatrix {
 public:
  PackedMatrix();
  ~PackedMatrix();
  PackedMatrix(PackedMatrix&&) noexcept;
  PackedMatrix& operator=(PackedMatrix&&) noexcept;

  // b is [K, N], or [N, K] when `transposed`.
  void pack(const Tensor& b, bool transposed, Precision precision = Precision::f32);
  bool empty() const;
  int64_t rows() const;     // K
  int64_t columns() const;  // N
  struct State;
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// c [M, N] = a [M, K] B, or c += when `accumulate`; the last axis of a and c counts as columns.
// In the precision that B was packed in.
void gemm_packed(const Tensor& a, const PackedMatrix& b, Tensor c, bool accumulate);
// c = a B + bias [N] in every row.
void gemm_packed(const Tensor& a, const PackedMatrix& b, const Tensor& bias, Tensor c);
// c = op(a) op(b), or c +=, both operands as they lie in memory. op(a) is [M, K], op(b) [K, N].
// a^T b in bf16 where asked for; all else, and int8, in f32.
void gemm(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b, Tensor c,
          bool accumulate, Precision precision = Precision::f32);
// "oneDNN" | "Eigen".
const char* gemm_library();

// x [M, N] as whole numbers in [-127, 127] times a scale for each row [M], or for each column [N]:
// max |x| / 127 of it.
void quantise(const Tensor& x, bool by_columns, int8_t* whole, Tensor scales);
void dequantise(const int8_t* whole, const Tensor& scales, bool by_columns, Tensor x);

// -------------------------------------------------------------------------------------------------
// Recurrent cells (elementwise part; the products are gemm_packed)

// GRU (Cho et al. 2014, eq. 5-8; reset applied after the product, as in cuDNN):
//   r = sigmoid(x_r + h_r), z = sigmoid(x_z + h_z), n = tanh(x_n + r h_n), h' = (1 - z) n + z h.
// x [B, 3H] = input part, hid [B, 3H] = product of h with the recurrent weights, both with biases,
// in the order r, z, n. Where !valid[b], h' = h. `gates` [B, 3H] keeps r, z, n for the backward; it
// may be x. valid may be null (all valid).
void gru_forward(const Tensor& x, const Tensor& hid, const Tensor& h, const uint8_t* valid,
                 Tensor gates, Tensor next);
// dx [B,3H] = and dhid [B,3H] = (overwritten); dh [B,H] += the part of dnext that does not pass
// through hid. dx may be gates, and dhid may be hid.
void gru_backward(const Tensor& dnext, const Tensor& gates, const Tensor& hid, const Tensor& h,
                  const uint8_t* valid, Tensor dx, Tensor dhid, Tensor dh);

// LSTM (Hochreiter & Schmidhuber 1997, with forget gate), gates in the order i, f, g, o:
//   i, f, o = sigmoid(x), g = tanh(x), c' = f c + i g, h' = o tanh(c').
// x [B, 4H] holds both products, the input's and that of h. Where !valid[b], h' = h and c' = c.
// `gates` [B, 4H] keeps i, f, g, o for the backward; it may be x.
void lstm_forward(const Tensor& x, const Tensor& h, const Tensor& c, const uint8_t* valid,
                  Tensor gates, Tensor next_h, Tensor next_c);
// dx [B,4H] = (overwritten; it may be gates); dh [B,H] += only where !valid; dc [B,H] +=.
void lstm_backward(const Tensor& dnext_h, const Tensor& dnext_c, const Tensor& gates,
                   const Tensor& c, const Tensor& next_c, const uint8_t* valid, Tensor dx,
                   Tensor dh, Tensor dc);

// -------------------------------------------------------------------------------------------------
// Attention

// How a query meets a key. dot: scale * q . k. additive: v . tanh(q + k) (Bahdanau et al. 2015,
// A.1.2).
enum class ScoreKind { dot, additive };
struct Score {
  ScoreKind kind = ScoreKind::dot;
  Real scale = 1;  // dot
  Tensor v;        // additive: [A]
};
// scores, mask, softmax and context in one pass a sentence; lengths[b] = 0 gives zeros:
//   e[t,b,s] = score(queries[t,b], keys[s,b])
//   weights[t,b,:] = softmax of e[t,b,:] over s < lengths[b], 0 beyond
//   context[t,b,:] = sum_s weights[t,b,s] values[s,b,:]
// queries [Tq,B,A], keys [S,B,A], values [S,B,D], weights [Tq,B,S], context [Tq,B,D].
void attention_forward(const Score& score, const Tensor& queries, const Tensor& keys,
                       const Tensor& values, const int32_t* lengths, Tensor weights,
                       Tensor context);
// The same where sentences have different numbers of queries: rows first[b] to first[b + 1] - 1 are
// those of sentence b; first [B + 1] ascends from 0 to R. queries [R,A], weights [R,S], context
// [R,D].
void attention_forward_of_rows(const Score& score, const Tensor& queries, const int32_t* first,
                               const Tensor& keys, const Tensor& values, const int32_t* lengths,
                               Tensor weights, Tensor context);
// Gradients, all +=: dqueries, dkeys, dvalues; dv_rows [B, A] (additive: the gradient of v, a row
// for each sentence, so that the caller sums it in a fixed order once; empty for dot). dweights
// [Tq,B,S] may be empty (no gradient into the weights).
void attention_backward(const Score& score, const Tensor& queries, const Tensor& keys,
                        const Tensor& values, const int32_t* lengths, const Tensor& weights,
                        const Tensor& dcontext, const Tensor& dweights, Tensor dqueries,
                        Tensor dkeys, Tensor dvalues, Tensor dv_rows);

// -------------------------------------------------------------------------------------------------
// Softmax and loss

// y[m, :] = log softmax(x[m, :]); x and y may be the same tensor.
void log_softmax(const Tensor& x, Tensor y);
// Smoothed cross-entropy (Szegedy et al. 2016, section 7); its gradient takes the logits' place:
//   q = (1 - smoothing) onehot(target) + smoothing / V,  p = softmax(logits[m, :])
//   loss[m] = -sum_v q_v log p_v,  nll[m] = -log p_target
//   logits[m, v] := scale (p_v - q_v)
// A row of logits [M, V] with target < 0 is padding: its losses and gradient are 0.
void cross_entropy_in_place(Tensor logits, const int32_t* targets, Real smoothing, Real scale,
                            double* loss, double* nll);
// The same losses without a gradient; logits are left as they are.
void cross_entropy(const Tensor& logits, const int32_t* targets, Real smoothing, double* loss,
                   double* nll);

// y = log((1 - share) e^y + share e^x), 0 < share < 1; minus infinity where both are.
void mix_in_log(Real share, const Tensor& x, Tensor y);

// For each row of x [M, N] the k largest values, largest first, ties to the smaller index: values
// [M, k], indices [M * k].
void top_k(const Tensor& x, int64_t k, Tensor values, int32_t* indices);

// -------------------------------------------------------------------------------------------------
// Optimizers: one pass over flat memory

// Kingma & Ba 2015, algorithm 1; correction1 = 1 - beta1^t, correction2 = 1 - beta2^t.
struct AdamStep {
  double learning_rate, beta1, beta2, epsilon, correction1, correction2;
};
void adam(const Tensor& gradient, Real gradient_scale, const AdamStep& step, Tensor m, Tensor v,
          Tensor parameters);
// velocity = momentum velocity + g; parameters -= learning_rate velocity.
void sgd(const Tensor& gradient, Real gradient_scale, double learning_rate, double momentum,
         Tensor velocity, Tensor parameters);
// Zeiler 2012, algorithm 1, times learning_rate.
void adadelta(const Tensor& gradient, Real gradient_scale, double learning_rate, double rho,
              double epsilon, Tensor mean_square, Tensor mean_square_update, Tensor parameters);

}  // namespace heed::kernels
