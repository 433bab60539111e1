// A GRU layer over a sequence. With m the recurrent dropout mask (1 without dropout), step t is
//   hid[t] = (m h[t-1]) U + b
//   h[t] = gru(x[t], hid[t], h[t-1])  (kernels/cells.h, gru_forward)
// The backward pass is, from the last step to the first,
//   (dx[t], dhid[t], part of dh[t-1]) = gru_backward(dh[t])
//   dh[t-1] += m (dhid[t] U^T)
// and after the loop, over all steps at once,
//   dU += (m H)^T dHID,  db += the column sums of dHID.
#include "autograd/ops/recurrence.h"
#include "base/error.h"

namespace heed {
namespace {

struct GruSequence {
  Tape* tape;
  Var x;  // its memory takes the gates, and in the backward pass its gradient
  bool need_initial;
  Recurrence recurrence;
  const Parameter* bias;
  SequenceOptions options;
  Tensor hid;  // [T, B, 3H]; in the backward pass its gradient

  const History& states() const { return recurrence.states; }

  void forward() const {
    const Tensor before = states().before().value(), after = states().after().value();
    const Tensor& gates = x.value();
    for (int64_t i = 0; i < states().T(); ++i) {
      const int64_t t = states().step(i);
      kernels::gemm_packed(recurrence.input(t), recurrence.weight->packed(), bias->value,
                           hid.at(t));
      kernels::gru_forward(x.value().at(t), hid.at(t), before.at(t), valid_at(options, t),
                           gates.at(t), after.at(t));
    }
  }

  void backward() const {
    const Tensor h = states().before().value(), &gates = x.value();
    const Tensor dh = tape->gradient(states().after()),
                 dh_before = tape->gradient(states().before());
    const Tensor dx = tape->gradient_in_place(x), dmasked = recurrence.scratch(*tape);
    for (int64_t i = states().T(); i-- > 0;) {
      const int64_t t = states().step(i);
      kernels::gru_backward(dh.at(t), {gates.at(t), hid.at(t), h.at(t), valid_at(options, t)},
                            dx.at(t), hid.at(t), dh_before.at(t));
      if (i > 0 || need_initial) recurrence.backward(hid.at(t), dmasked, dh_before.at(t));
    }
    recurrence.add_gradient(hid);
    if (!bias->gradient.empty()) kernels::sum_rows(hid, bias->gradient);
  }
};

}  // namespace

Var gru_sequence(Tape& tape, Consumed x, const Parameter& recurrent,
                 const Parameter& recurrent_bias, Var h0, const SequenceOptions& options) {
  const OpScope scope("gru_sequence");
  const int64_t H = recurrent.value.shape[0];
  check(x.shape().rank() == 3 && x.shape()[2] == 3 * H,
        "[gru_sequence] x is [T, B, 3 * {}]. Received {}", H, x.shape());
  check(recurrent.value.shape.last() == 3 * H, "[gru_sequence] {} is [H, 3H]. Received {}",
        recurrent.name, recurrent.value.shape);
  const int64_t T = x.shape()[0], B = x.shape()[1];
  check(!h0 || h0.shape() == Shape{B, H},
        "[gru_sequence] the initial state is [{}, {}]. Received {}", B, H,
        h0 ? h0.shape() : Shape{});
  History states(tape, {T, B, H}, options.reverse);
  states.start(h0);
  const GruSequence s{
      .tape = &tape,
      .x = x.var(),
      .need_initial = h0 && h0.needs_gradient(),
      .recurrence = Recurrence(tape, recurrent, states, options),
      .bias = &recurrent_bias,
      .options = options,
      .hid = tape.arena().tensor(x.shape()),
  };
  s.forward();
  tape.record([s] { s.backward(); });
  return states.after();
}

// One step without its product: (dx, dhid, part of dh) = gru_backward(dnext). The gates overwrite
// x; the gradients overwrite both.
void gru_step(Tape& tape, Consumed x_in, Consumed hid_in, Var h, Var next) {
  const OpScope scope("gru_step");
  const Var x = x_in.var(), hid = hid_in.var();
  check(x.shape() == hid.shape() && x.shape().last() == 3 * h.shape().last() &&
            h.shape() == next.shape(),
        "[gru_step] x and hid are [B, 3H], h and next [B, H]. Received {}, {}, {}, {}", x.shape(),
        hid.shape(), h.shape(), next.shape());
  kernels::gru_forward(x.value(), hid.value(), h.value(), {}, x.value(), next.value());
  tape.record([&tape, x, hid, h, next] {
    const Tensor dx = tape.gradient_in_place(x), dhid = tape.gradient_in_place(hid);
    kernels::gru_backward(tape.gradient(next), {x.value(), hid.value(), h.value(), {}}, dx, dhid,
                          tape.gradient_or_scratch(h));
  });
}

}  // namespace heed
