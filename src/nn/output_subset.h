// The output layer of a search over shortlists. Only the rows of its weight that some sentence
// wants take part in a product, and each row of logits is normalised over the shortlist of its own
// sentence, so that the batch has no influence.
//
// A batch is cut into groups of a few sentences, each with a product of its own: all sentences of a
// large batch together soon want half of the vocabulary.
#pragma once

#include <cstdint>
#include <memory>
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
  OutputSubset(OutputSubset&&) noexcept;
  ~OutputSubset();

  // log p [rows, L] in the arena, L the size of the longest shortlist: in the rows of sentence b,
  // which are row_begin[b] to row_begin[b + 1] - 1, column i belongs to token i of its shortlist;
  // minus infinity beyond its end. readout [rows, R].
  Tensor log_probabilities(Arena& arena, const Tensor& readout,
                           std::span<const int32_t> row_begin) const;

 private:
  struct Group;
  std::unique_ptr<Arena> memory_;
  std::vector<Group> groups_;
  int64_t longest_ = 0;
};

}  // namespace heed
