// The output layer of a search over shortlists: only the rows of its weight that some sentence of
// the batch wants take part in the product, and each row of logits is normalised over the shortlist
// of its own sentence, so that the batch has no influence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "autograd/parameters.h"
#include "tensor/arena.h"
#include "text/shortlist.h"

namespace heed {

class OutputSubset {
 public:
  // weight [V, R], bias [V]; a shortlist for each of B >= 1 sentences. Copies and packs what it
  // needs, in the precision of the weight: any number of these may be made at once.
  OutputSubset(const Parameter& weight, const Parameter& bias,
               std::span<const Shortlist> shortlists);

  // log p [width * B, L] in the arena, L the size of the longest shortlist: in row j * B + b column
  // i belongs to token i of the shortlist of sentence b; minus infinity beyond its end. readout
  // [width * B, R].
  Tensor log_probabilities(Arena& arena, const Tensor& readout) const;

  // Only these sentences go on (ascending indices into the present ones).
  void keep(std::span<const int32_t> sentences);

 private:
  using Columns = std::vector<int32_t>;
  std::vector<Columns> columns_;  // of each sentence: where its tokens are in the packed weight
  kernels::PackedMatrix weight_;  // [R, U], U tokens that some sentence wants and some zeros
  Arena memory_;
  Tensor bias_;  // [U]
};

}  // namespace heed
