// Learning rate schedules: the rate of each update, from the update's number and from how
// validation went.
#pragma once

#include <cstdint>
#include <string>

#include "config/config.h"

namespace heed {

// All that a schedule remembers; saved in last.heed.
struct ScheduleState {
  double factor = 1;       // product of the decays so far (plateau)
  int64_t not_better = 0;  // validations in a row without a better value since the last decay
  bool operator==(const ScheduleState&) const = default;
};

class Schedule {
 public:
  // Throws UserError "train.schedule: unknown ... ; known: ...".
  explicit Schedule(const TrainConfig& config);

  // The rate of update u >= 1, before which the part `done` of the planned training lay, with
  // L = learning_rate and W = warmup. While u < W: L u / W for every schedule. Then
  //   constant:     L
  //   inverse_sqrt: L sqrt(max(W, 1) / u)  (Vaswani et al. 2017, section 5.3, up to its constant)
  //   linear:       L (1 - done)
  //   plateau:      L decay_factor^(decays so far)
  // and never below min_learning_rate.
  double rate(int64_t update, double done) const;
  // To be told of every validation. plateau: multiplies the rate by decay_factor when more than
  // decay_patience validations in a row were not better, and counts anew from there. True when the
  // rate fell.
  bool validated(bool better);

  const ScheduleState& state() const { return state_; }
  void set_state(const ScheduleState& state) { state_ = state; }

 private:
  enum class Kind { constant, inverse_sqrt, linear, plateau };
  struct Row {
    const char* name;
    Kind kind;
  };
  static const Row kRows[];

  Kind kind_ = Kind::constant;
  TrainConfig config_;
  ScheduleState state_;
};

}  // namespace heed
