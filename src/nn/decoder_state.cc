#include "nn/decoder_state.h"

#include "tensor/kernels/kernels.h"

namespace heed {

void DecoderState::reorder(Arena& arena, const Ids& from) {
  for (Tensor& part : parts) {
    const Tensor gathered = arena.tensor({from.size(), part.shape.last()});
    kernels::gather_rows(part, from, gathered);
    part = gathered;
  }
}

}  // namespace heed
