#include "train/training_state.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/random.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

Json best_to_json(const BestValue& best) {
  return {{"value", best.value ? Json(*best.value) : Json()},
          {"update", best.update},
          {"not_better", best.not_better}};
}

BestValue best_from_json(const Json& json) {
  BestValue best;
  if (!json.at("value").is_null()) best.value = json.at("value").get<double>();
  best.update = json.at("update").get<int64_t>();
  best.not_better = json.at("not_better").get<int64_t>();
  return best;
}

}  // namespace

uint64_t data_order(const Corpus& corpus, const BatchOptions& options, uint64_t seed) {
  uint64_t key = mix(corpus.fingerprint(), seed);
  for (const int64_t option :
       {options.batch_tokens, options.batch_sentences, options.pool_batches}) {
    key = mix(key, static_cast<uint64_t>(option));
  }
  return key;
}

std::string to_json(const TrainingState& state) {
  const Json json = {
      {"update", state.update},
      {"epoch", state.epoch},
      {"position", state.position},
      {"data_order", state.data_order},
      {"target_tokens", state.target_tokens},
      {"minutes", state.minutes},
      {"last_validation", state.last_validation},
      {"metric", state.metric},
      {"saved", best_to_json(state.saved)},
      {"regular", best_to_json(state.regular)},
      {"schedule", {{"factor", state.schedule.factor}, {"not_better", state.schedule.not_better}}},
      {"optimizer", state.optimizer},
      {"optimizer_steps", state.optimizer_steps},
  };
  return json.dump();
}

TrainingState parse_training_state(const std::string& text, const std::string& path) {
  try {
    const Json json = Json::parse(text);
    TrainingState state;
    json.at("update").get_to(state.update);
    json.at("epoch").get_to(state.epoch);
    json.at("position").get_to(state.position);
    json.at("data_order").get_to(state.data_order);
    json.at("target_tokens").get_to(state.target_tokens);
    json.at("minutes").get_to(state.minutes);
    json.at("last_validation").get_to(state.last_validation);
    json.at("metric").get_to(state.metric);
    state.saved = best_from_json(json.at("saved"));
    state.regular = best_from_json(json.at("regular"));
    json.at("schedule").at("factor").get_to(state.schedule.factor);
    json.at("schedule").at("not_better").get_to(state.schedule.not_better);
    json.at("optimizer").get_to(state.optimizer);
    json.at("optimizer_steps").get_to(state.optimizer_steps);
    return state;
  } catch (const Json::exception& error) {
    fail("{}: damaged: training_state: {}", path, error.what());
  }
}

}  // namespace heed
