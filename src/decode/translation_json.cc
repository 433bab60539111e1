#include "decode/translation_json.h"

#include "decode/json.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

Json of_translation(const ShownTranslation& shown) {
  Json token_scores = Json::array();
  for (const double score : shown.hypothesis.token_log_probabilities)
    token_scores.push_back(to_six_decimals(score));
  return {{"text", shown.text},
          {"logp", to_six_decimals(shown.hypothesis.log_probability)},
          {"score", to_six_decimals(shown.hypothesis.score)},
          {"finished", shown.hypothesis.finished},
          {"tokens", Json(shown.tokens)},
          {"token_logp", std::move(token_scores)},
          {"target", Json(shown.aligned.target)},
          {"links", links_text(shown.links)},
          {"attention", attention_json(shown.aligned)}};
}

}  // namespace

std::string translations_line(int64_t id, const std::vector<ShownTranslation>& translations) {
  Json all = Json::array();
  for (const ShownTranslation& shown : translations) all.push_back(of_translation(shown));
  const Json source = translations.empty() ? Json::array() : Json(translations[0].aligned.source);
  return json_line({{"id", id}, {"source", source}, {"translations", std::move(all)}});
}

}  // namespace heed
