// The model and the batch of tests/golden/model.json as heed's objects.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "nn/model.h"
#include "support/golden.h"

namespace heed::test {

inline Batch golden_batch(const Golden& golden) {
  const Golden& json = golden.at("batch");
  const GoldenTensor source = golden_tensor(json.at("source")),
                     target = golden_tensor(json.at("target_in"));
  const auto ids = [&](const char* name) {
    const std::vector<double> data = golden_tensor(json.at(name)).data;
    return std::vector<TokenId>(data.begin(), data.end());
  };
  Batch batch;
  batch.S = source.shape[0];
  batch.B = source.shape[1];
  batch.T = target.shape[0];
  batch.source = ids("source");
  batch.target_in = ids("target_in");
  batch.target_out = ids("target_out");
  batch.source_length = json.at("source_length").get<std::vector<int32_t>>();
  batch.target_length = json.at("target_length").get<std::vector<int32_t>>();
  batch.target_tokens = json.at("target_tokens").get<int64_t>();
  return batch;
}

inline ModelConfig golden_config(const Golden& golden, const std::string& name) {
  const Golden& sizes = golden.at("sizes");
  ModelConfig config;
  config.embedding = sizes.at("E");
  config.encoder.hidden = sizes.at("H");
  config.decoder.hidden = sizes.at("decoder_hidden");
  config.decoder.readout = sizes.at("R");
  config.attention.size = sizes.at("A");
  if (name == "B") {
    config.encoder.cell = config.decoder.cell = "lstm";
    config.decoder.style = "luong";
    config.attention.score = "general";
  }
  return config;
}

// The model of configuration "A" or "B" with the golden parameters.
inline std::unique_ptr<Model> golden_model(const Golden& golden, const std::string& name) {
  const Golden& sizes = golden.at("sizes");
  auto model = std::make_unique<Model>(golden_config(golden, name),
                                       sizes.at("source_vocabulary").get<int64_t>(),
                                       sizes.at("target_vocabulary").get<int64_t>());
  model->initialise(1, true);
  const Golden& parameters = golden.at(name).at("parameters");
  EXPECT_EQ(parameters.size(), model->parameters().parameters().size());
  for (Parameter& p : model->parameters().parameters()) {
    const std::vector<double> data = golden_tensor(parameters.at(p.name)).data;
    EXPECT_EQ(static_cast<int64_t>(data.size()), p.value.size()) << p.name;
    for (size_t i = 0; i < data.size(); ++i) p.value.data[i] = static_cast<Real>(data[i]);
  }
  static_cast<void>(model->parameters().update());
  return model;
}

}  // namespace heed::test
