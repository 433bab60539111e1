// Readout vectors to log-probabilities of target tokens: log softmax(r W^T + b).
#pragma once

#include <cstdint>
#include <span>

#include "autograd/ops.h"
#include "nn/device_batch.h"
#include "nn/forward_options.h"
#include "nn/output_subset.h"

namespace heed {

class OutputLayer {
 public:
  // `tied` [V, R] is the target embedding if it is the weight as well, else null: then
  // "output.weight" [V, R] is declared. Declares "output.bias" [V].
  OutputLayer(ParameterStore& store, const Parameter* tied, int64_t vocabulary, int64_t readout);

  const Parameter& weight() const { return *weight_; }
  int64_t vocabulary() const { return weight_->value.shape[0]; }

  // readout [T, B, R]; the rows of it that count, with the token to predict in each.
  CrossEntropyResult loss(Tape& tape, Var readout, const TargetRows& rows,
                          const ForwardOptions& options) const;
  // [rows, V] in the tape's arena; readout [rows, R].
  Tensor log_probabilities(Tape& tape, Var readout) const;
  // log p of the token in each position, 0 past a sentence's end: [T, B] in the tape's arena.
  // readout [T, B, R]; out [T, B], negative past the end. The tape must not record.
  Tensor token_log_probabilities(Tape& tape, Var readout, const Ids& out) const;
  // The same layer over a shortlist for each sentence.
  OutputSubset restricted_to(std::span<const Shortlist> shortlists) const;

  double multiplications() const {  // per target token
    return static_cast<double>(weight_->value.shape.size());
  }

 private:
  const Parameter *weight_, *bias_;
};

}  // namespace heed
