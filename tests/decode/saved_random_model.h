// A random model as a checkpoint whose words are a to i, for tests of the program.
#pragma once

#include <string>

#include "decode/random_model.h"
#include "text/word_vocabulary.h"
#include "train/checkpoint.h"

namespace heed::test {

inline void save_random_model(const std::string& path, const RandomModelOptions& options = {}) {
  const auto model = random_model(options);
  const WordVocabulary words({"a", "b", "c", "d", "e", "f", "g", "h", "i"}, false);
  Config config;
  config.data.tokenizer = "word";
  config.model = model->config();
  config.decode.max_length_ratio = 1;
  config.decode.max_length_extra = 4;
  save_model(path, {config, words, words, *model}, {});
}

}  // namespace heed::test
