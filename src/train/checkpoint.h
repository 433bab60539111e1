// Checkpoints: safetensors files (8-byte little-endian header length, JSON header, raw little-endian tensors), so
// that other programs read the weights without heed and loading runs no code.
//
// Tensors: every parameter under its name (F32); for resuming, each optimizer moment as "optimizer.NAME.PARAMETER". The
// header's "__metadata__" (text to text): "format" "heed", "format_version", "config" (YAML), "source_vocabulary" and
// "target_vocabulary" (kind, a line feed, base64 of serialize()), "provenance" (JSON: heed version, seed, updates, best
// value), "training_state" (JSON; last.heed only), "checksum" (of the tensor bytes, CRC-32 in hex).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "config/config.h"
#include "nn/model.h"
#include "text/vocabulary.h"

namespace heed {

inline constexpr int kCheckpointVersion = 1;

// A model with all that translation needs. Vocabularies are the same object when shared.
struct LoadedModel {
  Config config;
  std::shared_ptr<const Vocabulary> source_vocabulary, target_vocabulary;
  std::unique_ptr<Model> model;
  std::map<std::string, std::string> metadata;
};

// Throws UserError, one line with the path: missing; "cut: 1000 of 81234 bytes"; "not a heed model (safetensors header ...)";
// "format version 9, this build reads 1"; "damaged: checksum ..."; a tensor missing or of another shape.
LoadedModel load_model(const std::string& path);

}  // namespace heed
