#include "cli/ensemble_choice.h"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>

#include "base/error.h"
#include "base/numbers.h"

namespace heed::cli {
namespace {

void check_same(const Vocabulary& first, const Vocabulary& other, const char* side,
                const std::string& first_path, const std::string& other_path) {
  const auto differ = [&](const std::string& how) {
    fail(
        "{}: its {} vocabulary is not that of {} ({}): models of an ensemble need the same "
        "vocabularies; train it with data.vocab, on the vocabulary of the other",
        other_path, side, first_path, how);
  };
  if (other.size() != first.size())
    differ(fmt::format("{} entries, not {}", other.size(), first.size()));
  if (other.serialize() == first.serialize()) return;
  for (TokenId id = 0; id < first.size(); ++id)
    if (other.piece(id) != first.piece(id))
      differ(fmt::format("entry {} is '{}', not '{}'", id, other.piece(id), first.piece(id)));
  differ("the same entries, but lines are cut in another way");
}

std::vector<double> parse_weights(const std::string& text, size_t count) {
  if (text.empty()) return std::vector<double>(count, 1.0);
  std::vector<std::string> parts;
  boost::split(parts, text, boost::is_any_of(","));
  std::vector<double> weights;
  for (const std::string& part : parts) {
    const auto weight = parse_real(part);
    if (!weight || *weight <= 0 || *weight > 1e9)
      throw UsageError(fmt::format("--weights: '{}' is not a number above 0", part));
    weights.push_back(*weight);
  }
  if (weights.size() != count)
    throw UsageError(fmt::format("--weights has {} numbers for {} models: give one for each",
                                 weights.size(), count));
  return weights;
}

}  // namespace

Ensemble LoadedEnsemble::ensemble() const {
  std::vector<Model*> models;
  for (const LoadedModel& loaded : models_) models.push_back(loaded.model.get());
  return {std::move(models), weights_, mixture_};
}

void EnsembleChoice::declare(Options& options) {
  options
      .list("model", models,
            "trained model (best.heed); several with the same vocabularies: an ensemble")
      .required("model")
      .text("weights", weights, "weights of several models, such as 2,1 (default: equal)")
      .choice("mixture", mixture, {"probability", "log_probability"},
              "what is averaged, of several models");
  MachineChoice::declare(options);
}

LoadedEnsemble EnsembleChoice::load() const {
  std::vector<double> numbers = parse_weights(weights, models.size());
  prepare();
  std::vector<LoadedModel> loaded;
  for (const std::string& path : models) {
    loaded.push_back(load_one(path));
    const LoadedModel& first = loaded.front();
    check_same(*first.source_vocabulary, *loaded.back().source_vocabulary, "source", models[0],
               path);
    check_same(*first.target_vocabulary, *loaded.back().target_vocabulary, "target", models[0],
               path);
  }
  return {std::move(loaded), std::move(numbers),
          mixture == "probability" ? Mixture::probability : Mixture::log_probability};
}

}  // namespace heed::cli
