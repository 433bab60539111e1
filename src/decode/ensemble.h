// Several models that translate and score as one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nn/model.h"

namespace heed {

enum class Mixture {
  probability,      // p = sum of weight_i p_i
  log_probability,  // log p = sum of weight_i log p_i, which sums to at most 1 over the vocabulary
};

// Models with the same vocabularies on both sides, which the caller has checked; nothing is owned.
// Attention is the weighted mean over the models that have any.
class Ensemble {
 public:
  Ensemble(Model& model) : models_{&model}, weights_{1} {}  // one model alone
  // As many weights as models, all > 0; they are divided by their sum.
  Ensemble(std::vector<Model*> models, std::vector<double> weights, Mixture mixture);

  int64_t target_vocabulary() const { return models_[0]->target_vocabulary(); }
  Device device() const { return models_[0]->device(); }
  bool has_attention() const;
  void tabulate_words() const;  // of each model
  // As Model::start.
  std::unique_ptr<DecoderSession> start(const Batch& batch,
                                        std::span<const Shortlist> shortlists) const;
  // As Model::force: what a search gives for the same tokens.
  Forced force(Tape& tape, const Batch& batch) const;

 private:
  std::vector<Model*> models_;
  std::vector<double> weights_;
  Mixture mixture_ = Mixture::probability;
};

}  // namespace heed
