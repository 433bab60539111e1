// The vocabularies of a training run: loaded, trained on its text, or from a checkpoint.
#pragma once

#include <memory>
#include <string>

#include "config/config.h"
#include "text/vocabulary.h"

namespace heed::cli {

// The same object for both sides when shared.
struct Vocabularies {
  std::shared_ptr<const Vocabulary> source, target;
};

// Whether make_vocabularies trains one, since the config names none.
bool trains_vocabulary(const DataConfig& data);

// data.vocab or data.source_vocab/target_vocab if the config names them, else trained on
// data.train. Throws UserError as load_sentencepiece and train_vocabulary do.
Vocabularies make_vocabularies(const DataConfig& data);

// Throws UserError naming the key when the config names vocabulary files that hold others than
// `used` (those of the checkpoint `path`, which the run goes on from).
void check_same_vocabularies(const DataConfig& data, const Vocabularies& used,
                             const std::string& path);

}  // namespace heed::cli
