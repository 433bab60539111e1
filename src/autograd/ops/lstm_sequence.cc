// An LSTM layer over a sequence. With m the recurrent dropout mask (1 without dropout), step t is
//   x[t] += (m h[t-1]) U
//   (h[t], c[t]) = lstm(x[t], h[t-1], c[t-1])  (kernels.h, lstm_forward)
// and on the way back, from the last step to the first,
//   (dx[t], parts of dh[t-1] and dc[t-1]) = lstm_backward(dh[t], dc[t])
//   dh[t-1] += m (dx[t] U^T)
// and after the loop, over all steps at once,
//   dU += (m H)^T dX.
#include <utility>

#include "autograd/ops/sequence.h"
#include "base/error.h"

namespace heed {
namespace {

struct LstmSequence {
  Tape* tape;
  Var x, h0, c0;
  States states, cells;
  Recurrence recurrence;
  SequenceOptions options;

  // x makes room for the gates, and these for the gradient of x.
  Tensor gates() const { return x.value(); }
  int64_t batch() const { return x.shape()[1]; }

  void forward() const {
    const Tensor &h = states.all.value(), &c = cells.all.value();
    for (int64_t i = 0; i < states.T(); ++i) {
      const int64_t t = states.step(i), before = states.before(t), after = states.after(t);
      kernels::gemm_packed(recurrence.input(states, t), recurrence.weight->packed(),
                           x.value().at(t), true);
      kernels::lstm_forward(x.value().at(t), h.at(before), c.at(before),
                            valid_at(options, t, batch()), gates().at(t), h.at(after), c.at(after));
    }
  }

  void backward() const {
    const Tensor &h = states.all.value(), &c = cells.all.value();
    const Tensor dh = tape->gradient(states.all), dx = tape->gradient_in_place(x);
    Tensor dc = tape->scratch(h.at(0).shape), dc_before = tape->scratch(dc.shape);
    kernels::fill(dc, 0);
    const Tensor dmasked = recurrence.scratch(*tape);
    const bool need_initial = h0 && h0.needs_gradient();
    for (int64_t i = states.T(); i-- > 0;) {
      const int64_t t = states.step(i), before = states.before(t), after = states.after(t);
      kernels::fill(dc_before, 0);
      kernels::lstm_backward(dh.at(after), dc, gates().at(t), c.at(before), c.at(after),
                             valid_at(options, t, batch()), dx.at(t), dh.at(before), dc_before);
      std::swap(dc, dc_before);
      if (i > 0 || need_initial) recurrence.backward(dx.at(t), dmasked, dh.at(before));
    }
    if (need_initial) kernels::add(dh.at(states.initial()), tape->gradient(h0));
    if (c0 && c0.needs_gradient()) kernels::add(dc, tape->gradient(c0));
    recurrence.add_gradient(states, dx);
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
  const Shape shape{T, B, H};
  const LstmSequence s{
      .tape = &tape,
      .x = x,
      .h0 = h0,
      .c0 = c0,
      .states = make_states(tape, h0, shape, options.reverse),
      .cells = make_states(tape, c0, shape, options.reverse),
      .recurrence = Recurrence(tape, recurrent, shape, options),
      .options = options,
  };
  s.forward();
  tape.record([s] { s.backward(); });
  return after_steps(tape, s.states);
}

// One step whose x holds both products: (dx, parts of dh and dc) = lstm_backward(dnext_h, dnext_c).
// x makes room for the gates, and these for its gradient.
void lstm_step(Tape& tape, Var x, Var h, Var c, Var next_h, Var next_c) {
  const OpScope scope("lstm_step");
  check(x.shape().last() == 4 * h.shape().last() && h.shape() == c.shape() &&
            h.shape() == next_h.shape() && h.shape() == next_c.shape(),
        "[lstm_step] x is [B, 4H], the states [B, H]. Received {} and {}", x.shape().text(),
        h.shape().text());
  kernels::lstm_forward(x.value(), h.value(), c.value(), nullptr, x.value(), next_h.value(),
                        next_c.value());
  tape.record([&tape, x, h, c, next_h, next_c] {
    kernels::lstm_backward(tape.gradient(next_h), tape.gradient(next_c), x.value(), c.value(),
                           next_c.value(), nullptr, tape.gradient_in_place(x),
                           tape.gradient_or_scratch(h), tape.gradient_or_scratch(c));
  });
}

}  // namespace heed
