// The translation model: embeddings, encoder, decoder, output layer. Training calls loss(), scoring
// and forced alignment call force(), search calls start(). None of them knows what kinds of
// encoders and decoders there are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "autograd/parameters.h"
#include "autograd/tape.h"
#include "config/config.h"
#include "nn/decoder_session.h"
#include "nn/forward_options.h"
#include "text/batch.h"
#include "text/shortlist.h"

namespace heed {

struct Network;
class WordTable;

struct LossResult {
  Var loss;  // scalar: smoothed cross-entropy, mean over target tokens
  // [3] on the device: the loss, the sum of -log p(token) over target tokens, natural log, and a
  // place for the caller's own sum, so that one read gets all figures of an update.
  Sums totals;
  int64_t tokens = 0;  // real target tokens
};

// Results of forced decoding, on the model's device.
struct Forced {
  Tensor token_log_probability;  // [T, B], 0 past a sentence's end
  Tensor attention;              // [T, B, S]; empty for score none
};

class Model {
 public:
  // Declares every parameter; sizes are checked with messages naming both keys (UserError). What
  // the model computes is on `device`, and so must be the arenas that it is given.
  Model(const ModelConfig& config, int64_t source_vocabulary, int64_t target_vocabulary,
        Device device = Device::cpu);
  ~Model();

  // Memory for the parameters, all zero, for weights that come from a file. Without
  // gradients for translation.
  void allocate(bool with_gradients);
  // The same, and fills the parameters from the seed.
  void initialise(uint64_t seed, bool with_gradients);
  ParameterStore& parameters() { return store_; }
  Device device() const { return store_.device(); }
  const ModelConfig& config() const { return config_; }
  bool has_attention() const;
  int64_t target_vocabulary() const;
  const Parameter& output_weight() const;  // [V, R]
  // Whether the rows of the parameter are entries of a vocabulary, which a product
  // meets as columns.
  bool is_table(const Parameter& parameter) const;

  // Training and validation: the whole given target. Records if the tape records.
  LossResult loss(Tape& tape, const Batch& batch, const ForwardOptions& options);

  // Forced decoding; the tape must not record. source_factors [S, B]: each source word vector is
  // multiplied by its factor; empty: none is.
  Forced force(Tape& tape, const Batch& batch, std::span<const Real> source_factors = {});

  // What each source word adds to log p of the last target token of its sentence, to first order:
  // the gradient of that log p with respect to the word's vector, times the vector, summed over E
  // (gradient x input; Denil et al. 2014, "Extraction of salient sentences from labelled
  // documents"). Gives [S, B], only valid inside each sentence. The gradient is taken where each
  // word vector is multiplied by its factor (source_factors [S, B], as for force()), the vector is
  // always the whole one. Without dropout; the tape records and is used up.
  Tensor source_influence(Tape& tape, const Batch& batch, std::span<const Real> source_factors);

  // Before searches of more target words than the vocabulary has: makes each faster. Not while
  // a search runs.
  void tabulate_words();
  // Starts a search on the source side of a batch, over the whole target vocabulary or, given a
  // shortlist for each sentence, over these tokens only. The session must not outlive the model.
  std::unique_ptr<DecoderSession> start(const Batch& batch,
                                        std::span<const Shortlist> shortlists = {});

  // Operations (multiply and add = 2) of the products in forward and backward, for a batch of these
  // sizes: the work that any implementation of this model has to do. A product [M, K] x [K, C]
  // costs 2 M K C forward, and twice that backward (one product for each operand's gradient): 6 M K
  // C in all. M counts real tokens, padding excluded. Gates, softmax, the tanh of additive scores,
  // dropout and the optimizer are left out: they are bandwidth and evaluations, not products.
  //
  // A profile by op (kernels/work.h) counts something else: what the GEMM was called for, padding
  // included. Attention calls no GEMM, so `attend` has 0 GFLOP there, though it counts here.
  double training_flops(const Batch& batch) const;

 private:
  ModelConfig config_;
  ParameterStore store_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<WordTable> words_;
};

}  // namespace heed
