#include "nn/cells/cell.h"

namespace heed {

Var Cell::input_bias(Tape& tape, int64_t T, int64_t B) const {
  return broadcast(tape, input_bias_, {T, B, gates() * hidden_});
}

RecurrentMask::RecurrentMask(Tape& tape, const Shape& shape, const RecurrentDropout& dropout)
    : tape_(tape) {
  const Tensor mask = dropout_mask(tape, shape, dropout.rate, dropout.key);
  if (!mask.empty()) mask_ = tape.constant(mask);
}

Var RecurrentMask::operator()(Var h) const { return mask_ ? multiply(tape_, h, mask_) : h; }

}  // namespace heed
