// Every kernel, declared once: all arithmetic on tensors is behind these functions. They check
// shapes, count their work and call the backend of the device on which their operands are (front/;
// the only backend is cpu/). Matrix products, recurrent cells and attention have headers of their
// own, which this one includes.
//
// Rules for all: operands are contiguous and on one device; alignment to 64 bytes is not required.
// Outputs may be uninitialised unless the comment says "+=". Results are the same bits for any
// number of threads. Sizes of zero are allowed. Shapes that don't fit throw InternalError
// "[kernel] rule. Received ...". Ids were checked when they were uploaded; only a debug build
// checks them again.
#pragma once

#include <cstdint>

#include "tensor/kernels/attention.h"
#include "tensor/kernels/cells.h"
#include "tensor/kernels/products.h"
#include "tensor/tensor.h"

namespace heed::kernels {

// -------------------------------------------------------------------------------------------------
// Elementwise

void fill(Tensor y, Real value);
void copy(const Tensor& x, Tensor y);                            // y = x, sizes equal
void add(const Tensor& x, Tensor y);                             // y += x
void add_scaled(Real scale, const Tensor& x, Tensor y);          // y += scale x
void move_towards(Real share, const Tensor& x, Tensor y);        // y += share (x - y)
void swap(Tensor x, Tensor y);                                   // exchanges their elements
void multiply(const Tensor& a, const Tensor& b, Tensor y);       // y = a b
void multiply_add(const Tensor& a, const Tensor& b, Tensor y);   // y += a b
void add_bias(const Tensor& bias /*[C]*/, Tensor y /*[M, C]*/);  // every row of y += bias

// tanh and sigmoid: |error| <= 4 ulp or 2e-7 absolute, whichever is larger. The exp of softmax,
// attention and cross-entropy, of x <= 0: 2 ulp; without AVX2 2 + |x| ulp. All are tested against
// the double library.
void tanh(const Tensor& x, Tensor y);
void tanh_backward(const Tensor& y, const Tensor& dy, Tensor dx);  // dx += dy (1 - y^2)
void sigmoid(const Tensor& x, Tensor y);
void sigmoid_backward(const Tensor& y, const Tensor& dy, Tensor dx);  // dx += dy y (1 - y)

// y = x keep / (1 - rate) with keep, 0 or 1, drawn from Philox (seed, stream, element index).
// dropout_backward draws the same mask again: dx += dy keep / (1 - rate). 0 <= rate < 1. x and y
// may be the same tensor.
struct DropoutKey {
  uint64_t seed = 0, stream = 0;
};
void dropout(const Tensor& x, Real rate, DropoutKey key, Tensor y);
void dropout_backward(const Tensor& dy, Real rate, DropoutKey key, Tensor dx);

// -------------------------------------------------------------------------------------------------
// Sums, in a fixed order

// dbias [C] += the column sums of dy [M, C].
void sum_rows(const Tensor& dy, Tensor dbias);
// total [1] = the sum of x^2 in double. Infinity and NaN pass through.
void sum_of_squares(const Tensor& x, Sums total);
// y[m] = scale times the dot product of rows m of a and b, in double. a and b [M, C], y [M].
void dot_rows(const Tensor& a, const Tensor& b, double scale, Tensor y);

// -------------------------------------------------------------------------------------------------
// Rows and columns

// Concatenation: y [M, C1 + C2 + ...]; x [M, C] becomes its columns from `offset` on.
void copy_into_columns(const Tensor& x, int64_t offset, Tensor y);
// dx += dy[:, offset : offset + C].
void add_from_columns(const Tensor& dy, int64_t offset, Tensor dx);
// y[i, :] += factors[i] x[i, :], factors [M], x and y [M, C]; a factor of 0 changes nothing.
void add_scaled_rows(const Tensor& factors, const Tensor& x, Tensor y);
// y[i, :] = factor x[rows[i], :], for beam reordering and embedding look-up. rows [count].
void gather_rows(const Tensor& x, const Ids& rows, Tensor y, Real factor = 1);
// dx[rows[i], :] += factor dy[i, :] in the order of i: the gradient of an embedding.
void scatter_add_rows(const Tensor& dy, const Ids& rows, Tensor dx, Real factor = 1);
// y[m] = x[m, columns[m]], or 0 if columns[m] is negative. x [M, C], columns [M], y [M].
void pick(const Tensor& x, const Ids& columns, Tensor y);
// For each row of x [M, C] its k largest values, largest first, ties to the smaller index: values
// [M, k], indices [M, k]. NaN counts as smaller than every number.
void top_k(const Tensor& x, int64_t k, Tensor values, View<int32_t> indices);

// -------------------------------------------------------------------------------------------------
// Softmax and loss

// y[m, :] = log softmax(x[m, :]); x and y may be the same tensor.
void log_softmax(const Tensor& x, Tensor y);
// log softmax over some columns of each row. Rows row_begin[b] to row_begin[b + 1] - 1 of x [M, U]
// are sentence b's, whose columns are columns[b, :], a list of at most L ended by -1:
//   y[m, i] = log softmax over i of x[m, columns[b, i]]; minus infinity past the end of the list.
// row_begin [B + 1] begins with 0 and ends with M; columns [B, L], y [M, L].
void log_softmax_of_columns(const Tensor& x, const Ids& row_begin, const Ids& columns, Tensor y);

// Losses of each row, in double: with label smoothing, and -log p of the target alone. Both [M].
struct RowLosses {
  Sums smoothed, nll;
};
// Smoothed cross-entropy (Szegedy et al. 2016, section 7); its gradient overwrites the logits:
//   q = (1 - smoothing) onehot(target) + smoothing / V,  p = softmax(logits[m, :])
//   smoothed[m] = -sum_v q_v log p_v,  nll[m] = -log p_target
//   logits[m, v] := scale (p_v - q_v)
// A row of logits [M, V] with a negative target is padding: its losses and gradient are 0.
void cross_entropy_in_place(Tensor logits, const Ids& targets, Real smoothing, Real scale,
                            const RowLosses& losses);
// The same losses without a gradient; the logits are not changed.
void cross_entropy(const Tensor& logits, const Ids& targets, Real smoothing,
                   const RowLosses& losses);
// mean [] = the sum of smoothed / M; totals [2] = that mean as Real, and the sum of nll.
void sum_losses(const RowLosses& losses, Tensor mean, Sums totals);

// y = log((1 - share) e^y + share e^x), 0 < share < 1; minus infinity if both are.
void mix_in_log(Real share, const Tensor& x, Tensor y);

// -------------------------------------------------------------------------------------------------
// Optimizers: one pass over flat memory

// Kingma & Ba 2015, algorithm 1; correction1 = 1 - beta1^t, correction2 = 1 - beta2^t.
struct AdamStep {
  double learning_rate, beta1, beta2, epsilon, correction1, correction2;
};
void adam(const Tensor& gradient, Real gradient_scale, const AdamStep& step, Tensor m, Tensor v,
          Tensor parameters);
// velocity = momentum velocity + g; parameters -= learning_rate velocity.
struct SgdStep {
  double learning_rate, momentum;
};
void sgd(const Tensor& gradient, Real gradient_scale, const SgdStep& step, Tensor velocity,
         Tensor parameters);
// Zeiler 2012, algorithm 1, times learning_rate.
struct AdadeltaStep {
  double learning_rate, rho, epsilon;
};
void adadelta(const Tensor& gradient, Real gradient_scale, const AdadeltaStep& step,
              Tensor mean_square, Tensor mean_square_update, Tensor parameters);

}  // namespace heed::kernels
