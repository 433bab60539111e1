// Source words to states. The kinds are rows of nn/table.cc.
#pragma once

#include "autograd/tape.h"
#include "nn/device_batch.h"
#include "nn/forward_options.h"

namespace heed {

// What a decoder gets of a source batch.
struct EncoderOutput {
  Var states;   // [S, B, D]
  Var summary;  // [B, D]: one vector per sentence, from which a recurrent decoder starts
  Ids lengths;  // [B]
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual int64_t state_size() const = 0;  // D
  // words [S, B, E] are the vectors of the batch's ids, or others in their place:
  // explanations change them.
  virtual EncoderOutput run(Tape& tape, Var words, const SourceBatch& batch,
                            const ForwardOptions& options) const = 0;
  // Of the products of a forward pass over a sentence of this length.
  virtual double multiplications(double source) const = 0;
};

}  // namespace heed
