// The word vectors of both sides.
#pragma once

#include <span>

#include "autograd/ops.h"
#include "config/config.h"
#include "nn/forward_options.h"

namespace heed {

// Numbers of ids on both sides.
struct VocabularySizes {
  int64_t source, target;
};

class Embeddings {
 public:
  // Declares "target.embedding" [Vt, E] and, unless all embeddings are tied, "source.embedding"
  // [Vs, E]. Throws UserError if they are tied and the sizes differ.
  Embeddings(const ModelConfig& config, ParameterStore& store, const VocabularySizes& sizes);

  const Parameter& source_table() const { return *source_; }
  const Parameter& target_table() const { return *target_; }

  // Word vectors [S, B, E] of ids [S, B], times sqrt(E): a table that starts with deviation
  // 1 / sqrt(E), as an output layer tied to it needs, gives cells inputs of deviation 1 (Vaswani et
  // al. 2017, 3.4).
  Var source(Tape& tape, const Ids& ids) const;
  // With dropout of words and of elements. Source words get theirs by drop_source(), since
  // explanations change the word vectors first.
  Var target(Tape& tape, const Ids& ids, const ForwardOptions& options) const;
  static Var drop_source(Tape& tape, Var words, const ForwardOptions& options);

 private:
  const Parameter *target_, *source_;
};

// Word vectors [S, B, E], each times its factor [S, B] (empty: as they are), as a leaf of the tape.
Var scaled_words(Tape& tape, const Tensor& words, std::span<const Real> factors);

}  // namespace heed
