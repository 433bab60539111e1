// The translation model: encoder, attention, decoder, output layer. Training, scoring and forced
// alignment call run(); search calls start / step / reorder. Neither knows of RNNs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "autograd/parameters.h"
#include "autograd/tape.h"
#include "config/config.h"
#include "nn/forward_options.h"
#include "text/batch.h"
#include "text/shortlist.h"

namespace heed {

struct Parts;

struct LossResult {
  Var loss;  // scalar: smoothed cross-entropy summed over target tokens / target tokens
  double cross_entropy = 0;  // sum of -log p(token) over real target tokens, natural log
  int64_t tokens = 0;
};

struct StepResult {
  // [rows, V]. With shortlists [rows, L], L the size of the longest: column i is token i
  // of the sentence's own shortlist, over which the row is normalised; minus infinity beyond it.
  Tensor log_probabilities;
  Tensor attention;  // [rows, S]; empty for score none
};

// One batch being searched: encoded once, then stepped token by token. The rows of a step are the
// hypotheses of the first sentence, then those of the second, and so on; one each at the start.
// What step() returns stays valid until the next call.
class DecoderSession {
 public:
  virtual ~DecoderSession() = default;
  virtual int64_t source_length() const = 0;  // S of the batch, padding included
  // previous [rows]: the last token of each row (kStart at first).
  virtual StepResult step(std::span<const TokenId> previous) = 0;
  // New row i continues old row from[i]; counts[b] of the new rows belong to sentence b of the
  // batch, none to one that is finished.
  virtual void reorder(std::span<const int32_t> from, std::span<const int32_t> counts) = 0;
};

class Model {
 public:
  // Declares every parameter; sizes are checked with messages naming both keys (UserError).
  Model(const ModelConfig& config, int64_t source_vocabulary, int64_t target_vocabulary);
  ~Model();

  // Fills the parameters from the seed. Without gradients for translation.
  void initialise(uint64_t seed, bool with_gradients);
  // Parameters all zero, for weights that come from a file.
  void lay_out(bool with_gradients);
  ParameterStore& parameters() { return store_; }
  const ModelConfig& config() const { return config_; }
  bool has_attention() const { return config_.attention.score != "none"; }
  int64_t target_vocabulary() const { return target_vocabulary_; }
  // Whether the rows of the parameter are entries of a vocabulary, which a product meets as
  // columns.
  bool is_table(const Parameter& parameter) const;

  // Training and validation: the whole given target. Records on the tape if it records. The batch
  // must outlive the tape.
  LossResult loss(Tape& tape, const Batch& batch, const ForwardOptions& options);

  // log p of each target token [T, B] (0 beyond the end) and attention of forced decoding; tape not
  // recording. source_factors [S, B]: each source word vector is multiplied by its factor; empty:
  // none is.
  struct Forced {
    Tensor token_log_probability;  // [T, B]
    Tensor attention;              // [T, B, S]
  };
  Forced force(Tape& tape, const Batch& batch, std::span<const Real> source_factors = {});

  // What each source word adds to log p of the last target token of its sentence, to first order:
  // the gradient of that log p with respect to the word's vector, times the vector, summed over E
  // (gradient x input; Denil et al. 2014, "Extraction of salient sentences from labelled
  // documents"). Gives [S, B], 0 beyond a sentence's end. The gradient is taken where each word
  // vector is multiplied by its factor (source_factors [S, B], as for force()), the vector is
  // always the whole one. Without dropout; the tape records and is used up.
  Tensor source_influence(Tape& tape, const Batch& batch, std::span<const Real> source_factors);

  // Before searches of more target words than the vocabulary has: makes each faster. Not beside a
  // running search.
  void tabulate_words();
  // Starts a search on the source side of a batch, over the whole target vocabulary or, given a
  // shortlist for each sentence, over these tokens only. The session must not outlive the model.
  std::unique_ptr<DecoderSession> start(const Batch& batch,
                                        std::span<const Shortlist> shortlists = {});

  // Operations (multiply and add = 2) of the products in forward and backward, for a batch of these
  // sizes; the count is explained in model_flops.cc.
  double training_flops(const Batch& batch) const;

 private:
  ModelConfig config_;
  int64_t source_vocabulary_, target_vocabulary_;
  ParameterStore store_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heed
