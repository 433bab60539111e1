// What each target word gives to a decoder step, computed once for the whole vocabulary: a search
// then looks it up instead of multiplying. It changes speed only (with oneDNN no bit of a result,
// with Eigen the last digits).
#pragma once

#include <cstdint>
#include <vector>

#include "nn/decoder.h"
#include "nn/embeddings.h"

namespace heed {

class WordTable {
 public:
  // All must outlive the table.
  WordTable(const Embeddings& embeddings, const Decoder& decoder, const ParameterStore& store)
      : embeddings_(embeddings), decoder_(decoder), store_(store), memory_(store.device()) {}

  // Makes the table, unless that was done since the weights changed or it would need too much
  // memory. Not while a search runs.
  void fill();
  // The inputs of words [1, rows], from the table if it is up to date.
  WordInputs inputs(Tape& tape, const Ids& words) const;

 private:
  WordInputs computed(Tape& tape, const Ids& words) const;

  const Embeddings& embeddings_;
  const Decoder& decoder_;
  const ParameterStore& store_;
  uint64_t version_ = 0;  // of the weights that the table was made from
  Arena memory_;
  std::vector<Tensor> parts_;  // [V, n] for each part [1, rows, n] of WordInputs
};

}  // namespace heed
