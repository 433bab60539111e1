// What a step of a search gives. It is on the model's device; a search downloads what it needs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tensor/transfer.h"

namespace heed {

// The largest entries of each row, largest first, ties to the smaller column.
struct TopColumns {
  int64_t k = 0;
  std::vector<Real> values;      // [rows * k]
  std::vector<int32_t> columns;  // [rows * k]
};

struct StepResult {
  // [rows, V]. With shortlists [rows, L], L the size of the longest: column i is token i of the
  // sentence's own shortlist, over which the row is normalised; minus infinity beyond it.
  Tensor log_probabilities;
  Tensor attention;  // [rows, S]; empty for score none

  // Of the log-probabilities. `scratch` is reset.
  TopColumns top(int64_t k, Arena& scratch) const;
  // The log-probability of one column.
  Real at(int64_t row, int64_t column) const;
  // All log-probabilities, or the attention, of all rows: to read one row after the other.
  HostView rows() const { return HostView(log_probabilities); }
  HostView attention_rows() const { return HostView(attention); }
};

}  // namespace heed
