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
  Var x, h0;
  States states;
  Recurrence recurrence;
  const Parameter* bias;
  SequenceOptions options;
  Tensor hid;  // [T, B, 3H]; on the way back its gradient

  // x makes room for the gates, and these for the gradient of x.
  Tensor gates() const { return x.value(); }
  int64_t batch() const { return hid.shape[1]; }

  void forward() const {
    const Tensor& h = states.all.value();
    for (int64_t i = 0; i < states.T(); ++i) {
      const int64_t t = states.step(i);
      kernels::gemm_packed(recurrence.input(states, t), recurrence.weight->packed(), bias->value,
                           hid.at(t));
      kernels::gru_forward(x.value().at(t), hid.at(t), h.at(states.before(t)),
                           valid_at(options, t, batch()), gates().at(t), h.at(states.after(t)));
    }
  }

  void backward() const {
    const Tensor& h = states.all.value();
    const Tensor dh = tape->gradient(states.all), dx = tape->gradient_in_place(x);
    const Tensor dmasked = recurrence.scratch(*tape);
    const bool need_initial = h0 && h0.needs_gradient();
    for (int64_t i = states.T(); i-- > 0;) {
      const int64_t t = states.step(i);
      const Tensor before = dh.at(states.before(t));
      kernels::gru_backward(dh.at(states.after(t)), gates().at(t), hid.at(t),
                            h.at(states.before(t)), valid_at(options, t, batch()), dx.at(t),
                            hid.at(t), before);
      if (i > 0 || need_initial) recurrence.backward(hid.at(t), dmasked, before);
    }
    if (need_initial) kernels::add(dh.at(states.initial()), tape->gradient(h0));
    recurrence.add_gradient(states, hid);
    if (!bias->gradient.empty()) kernels::sum_rows(hid, bias->gradient);
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
  const Shape shape{T, B, H};
  const GruSequence s{
      .tape = &tape,
      .x = x,
      .h0 = h0,
      .states = make_states(tape, h0, shape, options.reverse),
      .recurrence = Recurrence(tape, recurrent, shape, options),
      .bias = &recurrent_bias,
      .options = options,
      .hid = tape.arena().tensor(x.shape()),
  };
  s.forward();
  tape.record([s] { s.backward(); });
  return after_steps(tape, s.states);
}

// One step without its product: (dx, dhid, part of dh) = gru_backward(dnext). x makes room for the
// gates; both for their gradients.
void gru_step(Tape& tape, Var x, Var hid, Var h, Var next) {
  const OpScope scope("gru_step");
  check(x.shape() == hid.shape() && x.shape().last() == 3 * h.shape().last() &&
            h.shape() == next.shape(),
        "[gru_step] x and hid are [B, 3H], h and next [B, H]. Received {}, {}, {}, {}",
        x.shape().text(), hid.shape().text(), h.shape().text(), next.shape().text());
  kernels::gru_forward(x.value(), hid.value(), h.value(), nullptr, x.value(), next.value());
  tape.record([&tape, x, hid, h, next] {
    const Tensor dx = tape.gradient_in_place(x), dhid = tape.gradient_in_place(hid);
    kernels::gru_backward(tape.gradient(next), x.value(), hid.value(), h.value(), nullptr, dx, dhid,
                          tape.gradient_or_scratch(h));
  });
}

}  // namespace heed
