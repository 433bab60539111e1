// Checkpoints: safetensors files (8-byte little-endian header length, JSON header, raw
// little-endian tensors), so that other programs read the weights without heed and loading runs no
// code.
//
// Tensors: every parameter under its name (F32); for resuming, each optimizer moment as
// "optimizer.NAME.PARAMETER" and the average of the weights as "average.PARAMETER". The header's
// "__metadata__" (text to text): "format" "heed", "format_version", "config" (YAML),
// "source_vocabulary" and "target_vocabulary" (kind, a line feed, base64 of serialize()),
// "provenance" (JSON: heed version, seed, updates, best value; of a mean "mean_of"),
// "training_state" (JSON; last.heed only), "checksum" (of the tensor bytes, CRC-32 in hex),
// "header_checksum".
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

// A model with all that translation needs. Vocabularies are the same object when shared.
struct LoadedModel {
  Config config;
  std::shared_ptr<const Vocabulary> source_vocabulary, target_vocabulary;
  std::unique_ptr<Model> model;
  std::map<std::string, std::string> metadata;

  bool has_8_bit_weights() const;  // as heed quantize writes them
};

// Throws UserError, one line with the path: missing; "cut: 1000 of 81234 bytes"; "not a heed model
// (no safetensors header)"; "format version 9, this build reads 1"; "damaged: checksum ..."; a
// tensor missing or of another shape. with_gradients: for training.
LoadedModel load_model(const std::string& path, bool with_gradients = false,
                       Device device = Device::cpu);

// What is saved, besides the training state. Nothing is owned.
struct CheckpointParts {
  const Config& config;
  const Vocabulary& source_vocabulary;
  const Vocabulary& target_vocabulary;
  Model& model;
};

// Writes a model for translation (best.heed), whole or not at all. `state` goes into its
// provenance.
void save_model(const std::string& path, const CheckpointParts& parts, const TrainingState& state);
// One checkpoint that went into a mean: the update its weights are of, where that is known.
struct MeanPart {
  std::string path;
  std::optional<int64_t> update;
};
// The part that this checkpoint is: best.heed and last.heed of a run are of the update they were
// written at, a mean is of none.
MeanPart mean_part(const std::string& path, const LoadedModel& loaded);
// Writes a loaded model, whose weights are now the mean of those of several checkpoints of one run.
// Its provenance holds the seed and "mean_of": [{"path", "updates"}, ...], and no figure of a part
// (updates, minutes, best value): no validation has seen this model.
void save_mean(const std::string& path, const LoadedModel& loaded,
               const std::vector<MeanPart>& parts);
// Writes a loaded model with its matrices as 8-bit whole numbers (I8) and scales, about a quarter
// of the size; metadata "precision" is "int8". It loads as any other; its products are meant to be
// int8, which gives the same numbers as int8 products of the model it came from.
void save_quantised_model(const std::string& path, const LoadedModel& loaded);
// The same with all that is needed to go on (last.heed). `average` is WeightAverage::values().
void save_training_state(const std::string& path, const CheckpointParts& parts,
                         const TrainingState& state, const Optimizer& optimizer,
                         const Tensor& average);
// Reads the state, and the moments into `optimizer` when it is of the kind that was saved
// (state.optimizer tells), and the average, where it is kept both there and here. `model` is the
// one of load_model(path). UserError for a file without a training state, besides those above.
TrainingState load_training_state(const std::string& path, Model& model, Optimizer& optimizer,
                                  const Tensor& average);

}  // namespace heed
