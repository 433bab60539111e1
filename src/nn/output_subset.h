// The output layer of a search over shortlists. Only the rows of its weight that some sentence
// wants take part in a product, and each row of logits is normalised over the shortlist of its own
// sentence, so that the batch has no influence.
//
// A batch is cut into groups of a few sentences, each with a product of its own: what many
// sentences want together is soon half of the vocabulary.
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

  // log p [rows, L] in the arena, L the size of the longest shortlist: in the rows of sentence b,
  // which are first[b] to first[b + 1] - 1, column i belongs to token i of its shortlist; minus
  // infinity beyond its end. readout [rows, R].
  Tensor log_probabilities(Arena& arena, const Tensor& readout,
                           std::span<const int32_t> first) const;

 private:
  using Columns = std::vector<int32_t>;
  // Sentences that follow each other, and U tokens that they want, with some zeros at the end.
  struct Group {
    std::vector<Columns> columns;  // of each sentence: where its tokens are among the U
    kernels::PackedMatrix weight;  // [R, U]
    std::vector<Real> bias;        // [U]
  };
  static Group make_group(const Parameter& weight, const Parameter& bias,
                          std::span<const Shortlist> shortlists, Arena& scratch);
  // The logits [rows, U] in the arena.
  static Tensor logits(const Group& group, Arena& arena, const Tensor& readout);
  static void normalise(const Group& group, const Tensor& y, std::span<const int32_t> first,
                        Tensor result);

  std::vector<Group> groups_;
  int64_t longest_ = 0;
};

}  // namespace heed
