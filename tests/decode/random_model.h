// A small model with random parameters, larger than at the start of training so that
// its probabilities differ.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "nn/model.h"

namespace heed::test {

struct RandomModelOptions {
  std::string style = "bahdanau", cell = "gru", score = "additive";
  int layers = 1;
  int64_t vocabulary = 12;
  Real scale = 3;
};

inline std::unique_ptr<Model> random_model(const RandomModelOptions& options, uint64_t seed = 5) {
  ModelConfig config;
  config.embedding = 6;
  config.encoder = {"rnn", options.cell, options.layers, 5, true};
  config.decoder.style = options.style;
  config.decoder.cell = options.cell;
  config.decoder.layers = options.layers;
  config.decoder.hidden = options.score == "dot" ? 10 : 7;
  config.attention = {options.score, 6};
  auto model = std::make_unique<Model>(config, options.vocabulary, options.vocabulary);
  model->initialise(seed, false);
  const Tensor values = model->parameters().values();
  for (int64_t i = 0; i < values.size(); ++i) values.data[i] *= options.scale;
  static_cast<void>(model->parameters().update());
  return model;
}

// Sentences of tokens 3 .. vocabulary - 1, 1 to `longest` of them each.
inline std::vector<std::vector<TokenId>> random_sentences(size_t count, int longest,
                                                          int64_t vocabulary, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::vector<std::vector<TokenId>> sentences(count);
  for (auto& sentence : sentences) {
    sentence.resize(1 + random() % static_cast<unsigned>(longest));
    for (TokenId& id : sentence)
      id = 3 + static_cast<TokenId>(random() % static_cast<unsigned>(vocabulary - 3));
  }
  return sentences;
}

}  // namespace heed::test
