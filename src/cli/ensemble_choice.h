// The models that translate or score: one, or an ensemble.
#pragma once

#include <string>
#include <vector>

#include "cli/decoding.h"
#include "decode/ensemble.h"

namespace heed::cli {

// Models that have been loaded, all with the vocabularies of the first.
class LoadedEnsemble {
 public:
  LoadedEnsemble(std::vector<LoadedModel> models, std::vector<double> weights, Mixture mixture)
      : models_(std::move(models)), weights_(std::move(weights)), mixture_(mixture) {}

  const LoadedModel& first() const { return models_.front(); }
  const std::vector<LoadedModel>& models() const { return models_; }
  // Must not outlive this.
  Ensemble ensemble() const;

 private:
  std::vector<LoadedModel> models_;
  std::vector<double> weights_;
  Mixture mixture_;
};

// --model M..., --weights, --mixture, and those of MachineChoice.
struct EnsembleChoice : MachineChoice {
  std::vector<std::string> models;
  std::string weights, mixture = "probability";

  void declare(Options& options);
  // Throws UserError as load_model does, and if vocabularies differ.
  LoadedEnsemble load() const;
};

}  // namespace heed::cli
