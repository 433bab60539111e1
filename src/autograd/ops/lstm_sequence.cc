// An LSTM layer over a sequence. With m the recurrent dropout mask (1 without dropout), step t is
//   x[t] += (m h[t-1]) U
//   (h[t], c[t]) = lstm(x[t], h[t-1], c[t-1])  (kernels/cells.h, lstm_forward)
// The backward pass is, from the last step to the first,
//   (dx[t], parts of dh[t-1] and dc[t-1]) = lstm_backward(dh[t], dc[t])
//   dh[t-1] += m (dx[t] U^T)
// and after the loop, over all steps at once,
//   dU += (m H)^T dX.
#include <utility>

#include "autograd/ops/recurrence.h"
#include "base/error.h"

namespace heed {
namespace {

struct LstmSequence {
  Tape* tape;
  Var x;  // its memory takes the gates, and in the backward pass its gradient
  LstmVars initial;
  History cells;
  Recurrence recurrence;
  SequenceOptions options;

  const History& states() const { return recurrence.states; }

  void forward() const {
    const Tensor h = states().before().value(), c = cells.before().value();
    const Tensor next_h = states().after().value(), next_c = cells.after().value();
    const Tensor& gates = x.value();
    for (int64_t i = 0; i < states().T(); ++i) {
      const int64_t t = states().step(i);
      kernels::gemm_packed(recurrence.input(t), recurrence.weight->packed(), x.value().at(t), true);
      kernels::lstm_forward(x.value().at(t), {h.at(t), c.at(t)}, valid_at(options, t), gates.at(t),
                            {next_h.at(t), next_c.at(t)});
    }
  }

  void backward() const {
    const Tensor c = cells.before().value(), next_c = cells.after().value(), &gates = x.value();
    const Tensor dh = tape->gradient(states().after()),
                 dh_before = tape->gradient(states().before());
    const Tensor dx = tape->gradient_in_place(x);
    Tensor dc = tape->scratch(c.at(0).shape), dc_before = tape->scratch(dc.shape);
    kernels::fill(dc, 0);
    const Tensor dmasked = recurrence.scratch(*tape);
    const bool need_initial = initial.h && initial.h.needs_gradient();
    for (int64_t i = states().T(); i-- > 0;) {
      const int64_t t = states().step(i);
      kernels::fill(dc_before, 0);
      kernels::lstm_backward({dh.at(t), dc},
                             {gates.at(t), c.at(t), next_c.at(t), valid_at(options, t)}, dx.at(t),
                             {dh_before.at(t), dc_before});
      std::swap(dc, dc_before);
      if (i > 0 || need_initial) recurrence.backward(dx.at(t), dmasked, dh_before.at(t));
    }
    if (initial.c && initial.c.needs_gradient()) kernels::add(dc, tape->gradient(initial.c));
    recurrence.add_gradient(dx);
  }
};

}  // namespace

Var lstm_sequence(Tape& tape, Consumed x, const Parameter& recurrent, const LstmVars& initial,
                  const SequenceOptions& options) {
  const OpScope scope("lstm_sequence");
  const int64_t H = recurrent.value.shape[0];
  check(x.shape().rank() == 3 && x.shape()[2] == 4 * H,
        "[lstm_sequence] x is [T, B, 4 * {}]. Received {}", H, x.shape());
  check(recurrent.value.shape.last() == 4 * H, "[lstm_sequence] {} is [H, 4H]. Received {}",
        recurrent.name, recurrent.value.shape);
  const Shape shape{x.shape()[0], x.shape()[1], H}, state{x.shape()[1], H};
  for (const Var& part : {initial.h, initial.c})
    check(!part || part.shape() == state, "[lstm_sequence] the initial states are {}. Received {}",
          state, part ? part.shape() : Shape{});
  History states(tape, shape, options.reverse), cells(tape, shape, options.reverse);
  states.start(initial.h);
  // The gradient of c does not lie in the history: backward() carries it from step to step.
  cells.start(initial.c ? tape.constant(initial.c.value()) : Var());
  const LstmSequence s{
      .tape = &tape,
      .x = x.var(),
      .initial = initial,
      .cells = cells,
      .recurrence = Recurrence(tape, recurrent, states, options),
      .options = options,
  };
  s.forward();
  tape.record([s] { s.backward(); });
  return states.after();
}

// One step whose x holds both products: (dx, parts of dh and dc) = lstm_backward(dnext). The gates
// overwrite x, and their gradients the gates.
void lstm_step(Tape& tape, Consumed x_in, const LstmVars& state, const LstmVars& next) {
  const OpScope scope("lstm_step");
  const Var x = x_in.var();
  const Shape& shape = state.h.shape();
  check(x.shape().last() == 4 * shape.last() && shape == state.c.shape() &&
            shape == next.h.shape() && shape == next.c.shape(),
        "[lstm_step] x is [B, 4H], the states [B, H]. Received {} and {}", x.shape(), shape);
  kernels::lstm_forward(x.value(), {state.h.value(), state.c.value()}, {}, x.value(),
                        {next.h.value(), next.c.value()});
  tape.record([&tape, x, state, next] {
    const kernels::LstmState dnext{tape.gradient(next.h), tape.gradient(next.c)};
    const Tensor dx = tape.gradient_in_place(x);
    kernels::lstm_backward(dnext, {x.value(), state.c.value(), next.c.value(), {}}, dx,
                           {tape.gradient_or_scratch(state.h), tape.gradient_or_scratch(state.c)});
  });
}

}  // namespace heed
