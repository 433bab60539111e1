// The elementwise part of recurrent cells; their products are gemm_packed().
#pragma once

#include "tensor/tensor.h"

namespace heed::kernels {

// GRU (Cho et al. 2014, eq. 5-8; reset applied after the product, as in cuDNN):
//   r = sigmoid(x_r + h_r), z = sigmoid(x_z + h_z), n = tanh(x_n + r h_n), h' = (1 - z) n + z h.
// x [B, 3H] = input part, hid [B, 3H] = product of h with the recurrent weights, both with biases,
// in the order r, z, n. If !valid[b], h' = h. `gates` [B, 3H] keeps r, z, n for the backward pass;
// it may be x. valid [B] may be empty: all rows are valid.
void gru_forward(const Tensor& x, const Tensor& hid, const Tensor& h, const Flags& valid,
                 Tensor gates, Tensor next);
// What the forward pass of a step read and kept.
struct GruStep {
  Tensor gates, hid, h;
  Flags valid;
};
// dx [B, 3H] and dhid [B, 3H] are overwritten; dh [B, H] += the part of dnext that does not pass
// through hid. dx may be gates, and dhid may be hid.
void gru_backward(const Tensor& dnext, const GruStep& step, Tensor dx, Tensor dhid, Tensor dh);

// LSTM (Hochreiter & Schmidhuber 1997, with forget gate), gates in the order i, f, g, o:
//   i, f, o = sigmoid(x), g = tanh(x), c' = f c + i g, h' = o tanh(c').
// x [B, 4H] holds both products, the input's and that of h. If !valid[b], h' = h and c' = c.
// `gates` [B, 4H] keeps i, f, g, o for the backward pass; it may be x.
struct LstmState {
  Tensor h, c;
};
void lstm_forward(const Tensor& x, const LstmState& state, const Flags& valid, Tensor gates,
                  const LstmState& next);
struct LstmStep {
  Tensor gates, c, next_c;
  Flags valid;
};
// dx [B, 4H] is overwritten and may be gates; dstate.h [B, H] += only if !valid; dstate.c
// [B, H] +=.
void lstm_backward(const LstmState& dnext, const LstmStep& step, Tensor dx,
                   const LstmState& dstate);

}  // namespace heed::kernels
