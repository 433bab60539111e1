// The states of a recurrence over T steps with the initial one in the same memory, next to the
// first step's: the states before all steps and those after all steps are two views of it. So
// products of all steps at once find their operand without a copy.
#pragma once

#include "autograd/tape.h"

namespace heed {

class History {
 public:
  History() = default;
  // Room for the states [T, B, H] of a recurrence, which runs from the last step to the
  // first if `reverse`.
  History(Tape& tape, const Shape& states, bool reverse = false);

  // Copies the initial state [B, H]; zeros if it is empty. Its gradient flows back.
  void start(Var initial);

  int64_t T() const { return all_.shape()[0] - 1; }
  // The t of the i-th step of the recurrence.
  int64_t step(int64_t i) const { return reverse_ ? T() - 1 - i : i; }

  // What step t starts from, and what it gives [B, H].
  Var before(int64_t t) const { return tape_->at(all_, t + begin_of_before()); }
  Var after(int64_t t) const { return tape_->at(all_, t + begin_of_after()); }
  // The same of all steps [T, B, H].
  Var before() const { return steps_from(begin_of_before()); }
  Var after() const { return steps_from(begin_of_after()); }

 private:
  int64_t begin_of_before() const { return reverse_ ? 1 : 0; }
  int64_t begin_of_after() const { return reverse_ ? 0 : 1; }
  Var steps_from(int64_t begin) const { return tape_->slice(all_, begin, begin + T()); }

  Tape* tape_ = nullptr;
  Var all_;  // [T + 1, B, H]
  bool reverse_ = false;
};

}  // namespace heed
