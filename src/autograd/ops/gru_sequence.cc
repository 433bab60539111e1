// A GRU layer over a sequence. With m the recurrent dropout mask (1 without dropout), step t is
//   hid[t] = (m h[t-1]) U + b
//   h[t] = gru(x[t], hid[t], h[t-1])  (kernels.h, gru_forward)
// and on the way back, from the last step to the first,
//   (dx[t], dhid[t], part of dh[t-1]) = gru_backward(dh[t])
//   dh[t-1] += m (dhid[t] U^T)
// and after the loop, over all steps at once,
//   dU += (m H)^T dHID,  db += the column sums of dHID.
#include "autograd/ops/sequence.h"
#include "base/error.h"

namespace heed {
namespace {

struct GruSequence {
  Tape* tape;
  Var x, h0, out;
  const Parameter *recurrent, *bias;
  SequenceOptions options;
  Tensor initial;  // [B, H]
  Tensor mask;     // [B, H] or empty
  Tensor inputs;   // [T, B, H]: m h[t-1]
  Tensor hid;      // [T, B, 3H]
  Tensor gates;    // [T, B, 3H]

  Walk walk() const { return {out.shape()[0], options.reverse}; }
  Tensor before(int64_t i) const { return i == 0 ? initial : out.value().at(walk().step(i - 1)); }
  int64_t batch() const { return out.shape()[1]; }

  void forward() const {
    const Walk order = walk();
    for (int64_t i = 0; i < order.T; ++i) {
      const int64_t t = order.step(i);
      const Tensor h = before(i);
      kernels::gemm_packed(recurrent_input(h, mask, inputs.at(t)), recurrent->packed(), bias->value,
                           hid.at(t));
      kernels::gru_forward(x.value().at(t), hid.at(t), h, valid_at(options, t, batch()),
                           gates.at(t), out.value().at(t));
    }
  }

  void backward() const {
    const Walk order = walk();
    const Tensor dout = tape->gradient(out);
    const Tensor dx_step = tape->scratch(hid.at(0).shape);
    const Tensor dhid = tape->scratch(hid.shape);
    const Tensor dmasked = mask.empty() ? Tensor{} : tape->scratch(mask.shape);
    const bool need_initial = h0 && h0.needs_gradient();
    const Tensor dinitial = need_initial ? tape->gradient(h0) : tape->arena().zeros(initial.shape);
    for (int64_t i = order.T; i-- > 0;) {
      const int64_t t = order.step(i);
      const Tensor dh = i == 0 ? dinitial : dout.at(order.step(i - 1));
      kernels::gru_backward(dout.at(t), gates.at(t), hid.at(t), before(i),
                            valid_at(options, t, batch()), dx_step, dhid.at(t), dh);
      if (x.needs_gradient()) kernels::add(dx_step, tape->gradient(x).at(t));
      if (i > 0 || need_initial) recurrent_backward(dhid.at(t), *recurrent, mask, dmasked, dh);
    }
    const int64_t rows = order.T * batch(), H = initial.shape.last();
    const Tensor all = dhid.reshaped({rows, 3 * H});
    recurrent->add_gradient(inputs.reshaped({rows, H}), all);
    if (!bias->gradient.empty()) kernels::sum_rows(all, bias->gradient);
  }
};

}  // namespace

Var gru_sequence(Tape& tape, Var x, const Parameter& recurrent, const Parameter& recurrent_bias,
                 Var h0, const SequenceOptions& options) {
  const OpScope scope("gru_sequence");
  const int64_t H = recurrent.value.shape[0];
  check(x.shape().rank() == 3 && x.shape()[2] == 3 * H,
        "[gru_sequence] x is [T, B, 3 * {}]. Received {}", H, x.shape().text());
  check(recurrent.value.shape.last() == 3 * H, "[gru_sequence] {} is [H, 3H]. Received {}",
        recurrent.name, recurrent.value.shape.text());
  const int64_t T = x.shape()[0], B = x.shape()[1];
  check(!h0 || h0.shape() == Shape{B, H},
        "[gru_sequence] the initial state is [{}, {}]. Received another", B, H);
  Arena& arena = tape.arena();
  const GruSequence s{
      .tape = &tape,
      .x = x,
      .h0 = h0,
      .out = tape.result({T, B, H}, true),
      .recurrent = &recurrent,
      .bias = &recurrent_bias,
      .options = options,
      .initial = h0 ? h0.value() : arena.zeros({B, H}),
      .mask = dropout_mask(tape, {B, H}, options.recurrent_dropout, options.key),
      .inputs = arena.tensor({T, B, H}),
      .hid = arena.tensor({T, B, 3 * H}),
      .gates = arena.tensor({T, B, 3 * H}),
  };
  s.forward();
  tape.record([s] { s.backward(); });
  return s.out;
}

// One step without its product: (dx, dhid, part of dh) = gru_backward(dnext).
void gru_step(Tape& tape, Var x, Var hid, Var h, Var next) {
  const OpScope scope("gru_step");
  check(x.shape() == hid.shape() && x.shape().last() == 3 * h.shape().last() &&
            h.shape() == next.shape(),
        "[gru_step] x and hid are [B, 3H], h and next [B, H]. Received {}, {}, {}, {}",
        x.shape().text(), hid.shape().text(), h.shape().text(), next.shape().text());
  const Tensor gates = tape.arena().tensor(x.shape());
  kernels::gru_forward(x.value(), hid.value(), h.value(), nullptr, gates, next.value());
  tape.record([&tape, x, hid, h, next, gates] {
    Arena& arena = tape.arena();
    const Tensor dx = tape.scratch(x.shape()), dhid = tape.scratch(x.shape());
    const Tensor dh = h.needs_gradient() ? tape.gradient(h) : arena.zeros(h.shape());
    kernels::gru_backward(tape.gradient(next), gates, hid.value(), h.value(), nullptr, dx, dhid,
                          dh);
    if (x.needs_gradient()) kernels::add(dx, tape.gradient(x));
    if (hid.needs_gradient()) kernels::add(dhid, tape.gradient(hid));
  });
}

}  // namespace heed
