// The states of a recurrence that is walked step by step, with the initial one in front: what the
// steps start from and what they give are two views of the same memory, so that products of all
// steps at once (CollectedLinear) find their operand without a copy.
#pragma once

#include "autograd/tape.h"

namespace heed {

class History {
 public:
  History() = default;
  // Room for T steps after `initial` [B, N], which is copied.
  History(Tape& tape, Var initial, int64_t T);

  Var before(int64_t t) const { return tape_->step(all_, t); }     // [B, N]: step t starts from it
  Var after(int64_t t) const { return tape_->step(all_, t + 1); }  // and gives it
  // The same of all steps: [T, B, N].
  Var before() const { return tape_->slice(all_, 0, T()); }
  Var after() const { return tape_->slice(all_, 1, T() + 1); }

 private:
  int64_t T() const { return all_.shape()[0] - 1; }

  Tape* tape_ = nullptr;
  Var all_;  // [T + 1, B, N]
};

}  // namespace heed
