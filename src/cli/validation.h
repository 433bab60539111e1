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
  // Reads config.data.valid; throws UserError as read_corpus does. Config, vocabularies and model
  // must outlive this object.
  Validation(const Config& config, const Vocabulary& source, const Vocabulary& target,
             Model& model);

  // Figures of the current model. BLEU is that of `heed translate` with --beam train.valid_beam and
  // `heed evaluate`. Writes to run.dir/samples the translation, update-NUMBER.translation, and for
  // the first config.train.samples sentences update-NUMBER.txt (source, reference, translation)
  // and, if the model has attention, update-NUMBER.jsonl (for heed plot).
  ValidationFigures measure(int64_t update);

 private:
  struct Samples {
    std::string texts, attention;
  };
  double cross_entropy();  // per target token
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
