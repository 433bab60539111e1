#include "autograd/history.h"

#include "autograd/ops.h"

namespace heed {

History::History(Tape& tape, const Shape& states, bool reverse)
    : tape_(&tape),
      all_(tape.result({states[0] + 1, states[1], states[2]}, true)),
      reverse_(reverse) {}

void History::start(Var initial) {
  const Var first = before(step(0));
  if (initial)
    copy_rows(*tape_, initial, first);
  else
    kernels::fill(first.value(), 0);
}

}  // namespace heed
