// A random model as a checkpoint whose words are letters, for tests of the program.
#pragma once

#include <string>
#include <vector>

#include "decode/random_model.h"
#include "text/word_vocabulary.h"
#include "train/checkpoint.h"

namespace heed::test {

inline std::vector<std::string> letters() { return {"a", "b", "c", "d", "e", "f", "g", "h", "i"}; }

inline void save_random_model(const std::string& path, Model& model,
                              const std::vector<std::string>& vocabulary) {
  const WordVocabulary words(vocabulary, false);
  Config config;
  config.data.tokenizer = "word";
  config.model = model.config();
  config.decode.max_length_ratio = 1;
  config.decode.max_length_extra = 4;
  save_model(path, {config, words, words, model}, {});
}

inline void save_random_model(const std::string& path, const RandomModelOptions& options = {},
                              uint64_t seed = 5,
                              const std::vector<std::string>& vocabulary = letters()) {
  save_random_model(path, *random_model(options, seed), vocabulary);
}

}  // namespace heed::test
