// Learning rate schedules: the rate of each update, computed from its number and from the
// results of validations.
#pragma once

#include <cstdint>
#include <string>

#include "config/config.h"

namespace heed {

// The state of a schedule, saved in last.heed.
struct ScheduleState {
  double factor = 1;       // product of the decays so far (plateau)
  int64_t not_better = 0;  // validations in a row without a better value since the last decay
  bool operator==(const ScheduleState&) const = default;
};

class Schedule {
 public:
  // Throws UserError "train.schedule: unknown ... ; known: ...".
  explicit Schedule(const TrainConfig& config);

  // The rate of update u >= 1, if the fraction `done` of the planned training comes before it. With
  // L = learning_rate and W = warmup it is L u / W while u < W, for every schedule, and then
  //   constant:     L
  //   inverse_sqrt: L sqrt(max(W, 1) / u)  (Vaswani et al. 2017, section 5.3, up to its constant)
  //   linear:       L (1 - done)
  //   plateau:      L decay_factor^(decays so far)
  // but never below min_learning_rate.
  double rate(int64_t update, double done) const;
  // Call it after every validation. plateau multiplies the rate by decay_factor once more than
  // decay_patience validations in a row were not better, and then starts counting again. Returns
  // true if the rate was lowered.
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
