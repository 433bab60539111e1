// Validation during training: cross-entropy of the validation pairs, BLEU of their translation, and
// a few samples to look at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/config.h"
#include "nn/model.h"
#include "tensor/arena.h"
#include "text/corpus.h"
#include "train/validation_metric.h"

namespace heed::cli {

class Validation {
 public:
  // Reads config.data.valid. Config, vocabularies and model must outlive it. Throws UserError as
  // read_corpus does.
  Validation(const Config& config, const Vocabulary& source, const Vocabulary& target,
             Model& model);

  // Figures of the model as it is. BLEU is what `heed translate --beam BEAM`, with BEAM
  // train.valid_beam, and then `heed evaluate` give. Writes to run.dir/samples what was scored,
  // update-NUMBER.translation, and of the first config.train.samples sentences update-NUMBER.txt
  // (source, reference, translation) and, for a model with attention, update-NUMBER.jsonl (for
  // heed plot).
  ValidationFigures measure(int64_t update);

 private:
  struct Samples {
    std::string texts, attention;
  };
  double cross_entropy();  // a target token
  std::string samples_folder() const;
  void write_samples(int64_t update, const Samples& samples,
                     const std::vector<std::string>& hypotheses) const;

  const Config& config_;
  const Vocabulary& source_;
  const Vocabulary& target_;
  Model& model_;
  Corpus corpus_;
  ParallelLines lines_;
  Arena arena_;
};

}  // namespace heed::cli
