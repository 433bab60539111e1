// Checkpoints: safetensors files (8-byte little-endian header length, JSON header, raw
// little-endian tensors). Other programs can read the weights without heed, and loading a file
// runs no code.
//
// Tensors: every parameter under its name (F32); for resuming, each optimizer moment as
// "optimizer.NAME.PARAMETER" and the average of the weights as "average.PARAMETER". The
// header's "__metadata__" (text to text): "format" "heed", "format_version", "config" (YAML),
// "source_vocabulary" and "target_vocabulary" (kind, a line feed, base64 of serialize()),
// "provenance" (JSON: heed version, seed, updates, best value; "mean_of" in a mean of
// several), "training_state" (JSON; last.heed only), "checksum" (of the tensor bytes, CRC-32
// in hex), "header_checksum".
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "nn/model.h"
#include "text/vocabulary.h"
#include "train/optimizer.h"
#include "train/training_state.h"

namespace heed {

inline constexpr int kCheckpointVersion = 1;

// A model with all that translation needs. Shared vocabularies are one object.
struct LoadedModel {
  Config config;
  std::shared_ptr<const Vocabulary> source_vocabulary, target_vocabulary;
  std::unique_ptr<Model> model;
  std::map<std::string, std::string> metadata;

  bool has_8_bit_weights() const;  // a file of heed quantize
};

// Throws UserError, one line with the path: a missing file; "cut: 1000 of 81234 bytes"; "not a heed
// model (no safetensors header)"; "format version 9, this build reads 1"; "damaged: checksum ...";
// a tensor that is missing or has another shape. with_gradients: for training.
LoadedModel load_model(const std::string& path, bool with_gradients = false,
                       Device device = Device::cpu);

// What a checkpoint holds besides the training state. Nothing is owned.
struct CheckpointContents {
  const Config& config;
  const Vocabulary& source_vocabulary;
  const Vocabulary& target_vocabulary;
  Model& model;
};

// Writes a model for translation (best.heed), whole or not at all. `state` goes
// into its provenance.
void save_model(const std::string& path, const CheckpointContents& contents,
                const TrainingState& state);

// One checkpoint that went into a mean.
struct MeanSource {
  std::string path;
  std::optional<int64_t> update;  // of its weights; unknown for a mean of others
};
// The entry of a checkpoint, with the update from its provenance.
MeanSource mean_source(const std::string& path, const LoadedModel& loaded);
// Writes a loaded model whose weights are now the mean of those of several checkpoints of one run.
// Its provenance holds the seed and "mean_of": [{"path", "updates"}, ...], but no updates, minutes
// or best value, since no validation has seen this model.
void save_mean(const std::string& path, const LoadedModel& loaded,
               const std::vector<MeanSource>& sources);

// Writes a loaded model with its matrices as 8-bit integers (I8) and scales, about a quarter of the
// size; metadata "precision" is "int8". It loads as any other model and is meant for products in
// int8, whose results are then those of int8 products of the original model.
void save_quantised_model(const std::string& path, const LoadedModel& loaded);

// Writes all that is needed to go on (last.heed), whole or not at all.
// `average` is WeightAverage::values().
void save_training_state(const std::string& path, const CheckpointContents& contents,
                         const TrainingState& state, const Optimizer& optimizer,
                         const Tensor& average);
// Reads the state; the moments into `optimizer` if it is of the kind that was saved
// (state.optimizer names it); and the average if it is kept both in the file and here. `model`
// is the one of load_model(path). Throws UserError as load_model does, and for a file without
// a training state.
TrainingState load_training_state(const std::string& path, Model& model, Optimizer& optimizer,
                                  const Tensor& average);

}  // namespace heed
