// An LSTM layer over a sequence. With m the recurrent dropout mask (1 without dropout), step t is
//   hid[t] = (m h[t-1]) U
//   (h[t], c[t]) = lstm(x[t] + hid[t], h[t-1], c[t-1])  (kernels.h, lstm_forward)
// and on the way back, from the last step to the first,
//   (dgates[t], parts of dh[t-1] and dc[t-1]) = lstm_backward(dh[t], dc[t])
//   dh[t-1] += m (dgates[t] U^T)
// and after the loop, over all steps at once,
//   dU += (m H)^T dGATES.
// dgates[t] is the gradient of x[t] too.
#include "autograd/ops/sequence.h"
#include "base/error.h"

namespace heed {
namespace {

struct LstmSequence {
  Tape* tape;
  Var x, h0, c0, out;
  const Parameter* recurrent;
  SequenceOptions options;
  Tensor initial_h, initial_c;  // [B, H]
  Tensor mask;                  // [B, H] or empty
  Tensor inputs;                // [T, B, H]: m h[t-1]
  Tensor cells;                 // [T, B, H]
  Tensor gates;                 // [T, B, 4H]

  Walk walk() const { return {out.shape()[0], options.reverse}; }
  Tensor h_before(int64_t i) const {
    return i == 0 ? initial_h : out.value().at(walk().step(i - 1));
  }
  Tensor c_before(int64_t i) const { return i == 0 ? initial_c : cells.at(walk().step(i - 1)); }
  int64_t batch() const { return out.shape()[1]; }

  void forward() const {
    const Walk order = walk();
    const Tensor hid = tape->arena().tensor(gates.at(0).shape);
    for (int64_t i = 0; i < order.T; ++i) {
      const int64_t t = order.step(i);
      kernels::gemm_packed(recurrent_input(h_before(i), mask, inputs.at(t)), recurrent->packed(),
                           hid, false);
      kernels::lstm_forward(x.value().at(t), hid, h_before(i), c_before(i),
                            valid_at(options, t, batch()), gates.at(t), out.value().at(t),
                            cells.at(t));
    }
  }

  void backward() const {
    Arena& arena = tape->arena();
    const Walk order = walk();
    const Tensor dout = tape->gradient(out);
    const Tensor dgates = tape->scratch(gates.shape);
    const Tensor dmasked = mask.empty() ? Tensor{} : tape->scratch(mask.shape);
    const bool need_initial_h = h0 && h0.needs_gradient();
    const Tensor dinitial_h = need_initial_h ? tape->gradient(h0) : arena.zeros(initial_h.shape);
    const Tensor dinitial_c =
        c0 && c0.needs_gradient() ? tape->gradient(c0) : arena.zeros(initial_c.shape);
    const Tensor dcells = arena.zeros(cells.shape);
    for (int64_t i = order.T; i-- > 0;) {
      const int64_t t = order.step(i);
      const Tensor dh = i == 0 ? dinitial_h : dout.at(order.step(i - 1));
      const Tensor dc = i == 0 ? dinitial_c : dcells.at(order.step(i - 1));
      kernels::lstm_backward(dout.at(t), dcells.at(t), gates.at(t), c_before(i), cells.at(t),
                             valid_at(options, t, batch()), dgates.at(t), dh, dc);
      if (i > 0 || need_initial_h) recurrent_backward(dgates.at(t), *recurrent, mask, dmasked, dh);
    }
    if (x.needs_gradient()) kernels::add(dgates, tape->gradient(x));
    const int64_t rows = order.T * batch(), H = initial_h.shape.last();
    recurrent->add_gradient(inputs.reshaped({rows, H}), dgates.reshaped({rows, 4 * H}));
  }
};

}  // namespace

Var lstm_sequence(Tape& tape, Var x, const Parameter& recurrent, Var h0, Var c0,
                  const SequenceOptions& options) {
  const OpScope scope("lstm_sequence");
  const int64_t H = recurrent.value.shape[0];
  check(x.shape().rank() == 3 && x.shape()[2] == 4 * H,
        "[lstm_sequence] x is [T, B, 4 * {}]. Received {}", H, x.shape().text());
  check(recurrent.value.shape.last() == 4 * H, "[lstm_sequence] {} is [H, 4H]. Received {}",
        recurrent.name, recurrent.value.shape.text());
  const int64_t T = x.shape()[0], B = x.shape()[1];
  check((!h0 || h0.shape() == Shape{B, H}) && (!c0 || c0.shape() == Shape{B, H}),
        "[lstm_sequence] the initial states are [{}, {}]. Received others", B, H);
  Arena& arena = tape.arena();
  const LstmSequence s{
      .tape = &tape,
      .x = x,
      .h0 = h0,
      .c0 = c0,
      .out = tape.result({T, B, H}, true),
      .recurrent = &recurrent,
      .options = options,
      .initial_h = h0 ? h0.value() : arena.zeros({B, H}),
      .initial_c = c0 ? c0.value() : arena.zeros({B, H}),
      .mask = dropout_mask(tape, {B, H}, options.recurrent_dropout, options.key),
      .inputs = arena.tensor({T, B, H}),
      .cells = arena.tensor({T, B, H}),
      .gates = arena.tensor({T, B, 4 * H}),
  };
  s.forward();
  tape.record([s] { s.backward(); });
  return s.out;
}

// One step whose x holds both products: (dx, parts of dh and dc) = lstm_backward(dnext_h, dnext_c).
void lstm_step(Tape& tape, Var x, Var h, Var c, Var next_h, Var next_c) {
  const OpScope scope("lstm_step");
  check(x.shape().last() == 4 * h.shape().last() && h.shape() == c.shape() &&
            h.shape() == next_h.shape() && h.shape() == next_c.shape(),
        "[lstm_step] x is [B, 4H], the states [B, H]. Received {} and {}", x.shape().text(),
        h.shape().text());
  const Tensor gates = tape.arena().tensor(x.shape()), zero = tape.arena().zeros(x.shape());
  kernels::lstm_forward(x.value(), zero, h.value(), c.value(), nullptr, gates, next_h.value(),
                        next_c.value());
  tape.record([&tape, x, h, c, next_h, next_c, gates] {
    Arena& arena = tape.arena();
    const Tensor dgates = tape.scratch(x.shape());
    const Tensor dh = h.needs_gradient() ? tape.gradient(h) : arena.zeros(h.shape());
    const Tensor dc = c.needs_gradient() ? tape.gradient(c) : arena.zeros(c.shape());
    kernels::lstm_backward(tape.gradient(next_h), tape.gradient(next_c), gates, c.value(),
                           next_c.value(), nullptr, dgates, dh, dc);
    if (x.needs_gradient()) kernels::add(dgates, tape.gradient(x));
  });
}

}  // namespace heed
