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

  // log p [width * B, L] in the arena, L the size of the longest shortlist: in row j * B + b column
  // i belongs to token i of the shortlist of sentence b; minus infinity beyond its end. readout
  // [width * B, R].
  Tensor log_probabilities(Arena& arena, const Tensor& readout) const;

  // Only these sentences go on (ascending indices into the present ones).
  void keep(std::span<const int32_t> sentences);

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
  // Logits [rows.size(), U] in the arena, of these rows of the readout.
  static Tensor logits(const Group& group, Arena& arena, const Tensor& readout,
                       std::span<const int32_t> rows);

  std::vector<Group> groups_;
};

}  // namespace heed
