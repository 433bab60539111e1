#include "train/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "config/schema.h"
#include "train/safetensors.h"
#include "train/tiny_run.h"
#include "train/user_error.h"

namespace heed {
namespace {

using test::user_error;

class Checkpoint : public testing::Test {
 protected:
  void SetUp() override {
    run_.load();
    state_.update = 7;
    state_.optimizer = "adam";
    state_.optimizer_steps = 7;
    optimizer_ = make_optimizer(run_.config.train, run_.model->parameters());
  }
  void save() { save_model(path_, run_.contents(), state_); }
  std::string loading() {
    return user_error([this] { load_model(path_); });
  }
  // Writes the saved file again with its metadata changed and both checksums right.
  void save_with(const std::string& key, const std::string& value) {
    save();
    Metadata metadata = SafetensorsFile(path_).metadata();
    metadata[key] = value;
    std::vector<NamedTensor> tensors;
    for (const Parameter& p : run_.model->parameters().parameters()) {
      tensors.push_back({p.name, p.value});
    }
    write_safetensors(path_, metadata, tensors);
  }

  test::TinyRun run_;
  std::string path_ = run_.path("model.heed");
  TrainingState state_;
  std::unique_ptr<Optimizer> optimizer_;
};

TEST_F(Checkpoint, GivesBackModelConfigAndVocabulary) {
  save();
  LoadedModel loaded = load_model(path_);
  EXPECT_EQ(to_yaml(loaded.config), to_yaml(run_.config));
  EXPECT_STREQ(loaded.source_vocabulary->kind(), "word");
  EXPECT_EQ(loaded.source_vocabulary->encode("c a"), run_.vocabulary->encode("c a"));
  EXPECT_EQ(loaded.source_vocabulary, loaded.target_vocabulary);
  ParameterStore &saved = run_.model->parameters(), &found = loaded.model->parameters();
  ASSERT_EQ(found.size(), saved.size());
  EXPECT_EQ(std::memcmp(found.values().data, saved.values().data,
                        static_cast<size_t>(saved.size()) * sizeof(Real)),
            0);
  EXPECT_TRUE(found.gradients().empty());
  EXPECT_EQ(nlohmann::json::parse(loaded.metadata.at("provenance")).at("updates"), 7);
}

TEST_F(Checkpoint, TheBestModelCarriesNoOptimizer) {
  save();
  const SafetensorsFile file(path_);
  EXPECT_EQ(file.tensors().size(), run_.model->parameters().parameters().size());
  EXPECT_FALSE(file.metadata().contains("training_state"));
  EXPECT_NE(user_error([this] {
              load_training_state(path_, *run_.model, *optimizer_, {});
            }).find("no training state"),
            std::string::npos);
}

TEST_F(Checkpoint, MomentsComeBackUnderTheirNames) {
  Tensor m = optimizer_->moments()[0].values, v = optimizer_->moments()[1].values;
  ParameterStore& store = run_.model->parameters();
  for (const Parameter& p : store.parameters()) {
    const int64_t first = p.value.data - store.values().data;
    for (int64_t i = first; i < first + p.value.size(); ++i) {
      m.data[i] = static_cast<Real>(i + 1);
      v.data[i] = static_cast<Real>(-2 * i);
    }
  }
  save_training_state(path_, run_.contents(), state_, *optimizer_, {});
  const auto fresh = make_optimizer(run_.config.train, store);
  EXPECT_EQ(load_training_state(path_, *run_.model, *fresh, {}), state_);
  EXPECT_EQ(fresh->steps(), 7);
  for (size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(std::memcmp(fresh->moments()[k].values.data, optimizer_->moments()[k].values.data,
                          static_cast<size_t>(store.size()) * sizeof(Real)),
              0);
  }
  const std::string name = store.parameters().front().name;
  EXPECT_TRUE(SafetensorsFile(path_).tensors().contains("optimizer.m." + name));
  EXPECT_EQ(loading(), "(no error)");
}

TEST_F(Checkpoint, AnotherOptimizerStartsAnew) {
  optimizer_->moments()[0].values.data[0] = 5;
  save_training_state(path_, run_.contents(), state_, *optimizer_, {});
  run_.config.train.optimizer = "sgd";
  const auto sgd = make_optimizer(run_.config.train, run_.model->parameters());
  EXPECT_EQ(load_training_state(path_, *run_.model, *sgd, {}).optimizer, "adam");
  EXPECT_EQ(sgd->moments()[0].values.data[0], 0);
  EXPECT_EQ(sgd->steps(), 0);
}

// The largest |x| of each row or column of a matrix, repeated for each element.
std::vector<double> largest_of(const Tensor& x, bool by_columns) {
  const int64_t rows = x.shape[0], columns = x.shape[1];
  std::vector<double> result(static_cast<size_t>(x.size()));
  for (int64_t i = 0; i < x.size(); ++i)
    for (int64_t j = 0; j < (by_columns ? rows : columns); ++j) {
      const int64_t other = by_columns ? j * columns + i % columns : i / columns * columns + j;
      double& largest = result[static_cast<size_t>(i)];
      largest = std::max(largest, std::abs(static_cast<double>(x.data[other])));
    }
  return result;
}

TEST_F(Checkpoint, AQuantisedModelIsWithinHalfAStep) {
  save();
  const LoadedModel loaded = load_model(path_);
  const std::string small = run_.path("small.heed"), again = run_.path("again.heed");
  save_quantised_model(small, loaded);
  EXPECT_LT(std::filesystem::file_size(small), std::filesystem::file_size(path_));
  const LoadedModel quantised = load_model(small);
  EXPECT_EQ(quantised.metadata.at("precision"), "int8");
  for (const Parameter& p : loaded.model->parameters().parameters()) {
    const Tensor found = quantised.model->parameters().find(p.name)->value;
    std::vector<double> step(static_cast<size_t>(p.value.size()), 0.0);
    if (p.value.shape.rank() == 2) step = largest_of(p.value, !loaded.model->is_table(p));
    for (int64_t i = 0; i < p.value.size(); ++i)
      ASSERT_NEAR(static_cast<double>(found.data[i]), static_cast<double>(p.value.data[i]),
                  0.501 * step[static_cast<size_t>(i)] / 127)
          << p.name;
  }
  save_quantised_model(again, quantised);
  const LoadedModel twice = load_model(again);
  const Tensor once = quantised.model->parameters().values(),
               now = twice.model->parameters().values();
  for (int64_t i = 0; i < once.size(); ++i)
    ASSERT_NEAR(static_cast<double>(now.data[i]), static_cast<double>(once.data[i]),
                1e-6 * std::abs(static_cast<double>(once.data[i])))
        << "quantising twice changes nothing";
}

TEST_F(Checkpoint, RefusesAnotherFormatVersionAndForeignFiles) {
  save_with("format_version", "9");
  EXPECT_EQ(loading().rfind(path_ + ": format version 9, this build reads 1", 0), 0u);
  save_with("format", "pt");
  EXPECT_EQ(loading().rfind(path_ + ": not a heed model", 0), 0u);
  write_safetensors(path_, {}, std::vector<NamedTensor>{});
  EXPECT_EQ(loading().rfind(path_ + ": not a heed model", 0), 0u);
  test::put(path_, "a text file, longer than eight bytes\n");
  EXPECT_EQ(loading().rfind(path_ + ": not a heed model", 0), 0u);
}

TEST_F(Checkpoint, RefusesTensorsThatDoNotFitTheConfigBeforeTakingMemory) {
  Config other = run_.config;
  other.model.encoder.hidden = 65536;  // would need 100 GB
  save_with("config", to_yaml(other));
  EXPECT_NE(loading().find("the model needs ["), std::string::npos);
  save_with("config", "model: {layers: [");
  EXPECT_EQ(loading().rfind(path_ + ": config:", 0), 0u);
  save_with("source_vocabulary", "word\n!!!");
  EXPECT_EQ(loading(), path_ + ": source_vocabulary: damaged: not base64");
}

TEST_F(Checkpoint, CutAndAlteredFilesAreOneLineErrors) {
  save();
  const std::string whole = read_file(path_);
  for (const size_t size : {size_t{1000}, whole.size() / 2, whole.size() - 1}) {
    test::put(path_, whole.substr(0, size));
    EXPECT_NE(loading().find("cut: " + std::to_string(size) + " of "), std::string::npos);
  }
  for (size_t i = 0; i < whole.size(); i += 97) {
    std::string altered = whole;
    altered[i] = static_cast<char>(altered[i] ^ 4);
    test::put(path_, altered);
    const std::string message = loading();
    ASSERT_EQ(message.rfind(path_ + ": ", 0), 0u) << "byte " << i << ": " << message;
  }
}

}  // namespace
}  // namespace heed
