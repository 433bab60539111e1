#include "autograd/ops.h"

namespace heed {

const uint8_t* valid_steps(Tape& tape, const int32_t* lengths, int64_t T, int64_t B) {
  auto* valid = static_cast<uint8_t*>(tape.arena().bytes(static_cast<size_t>(T * B)));
  for (int64_t t = 0; t < T; ++t)
    for (int64_t b = 0; b < B; ++b) valid[t * B + b] = t < lengths[b];
  return valid;
}

}  // namespace heed
