#include "decode/translation_json.h"

#include "decode/json.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

ShownTranslation shown_translation(const TranslatedLine& line, const Hypothesis& hypothesis,
                                   std::string text, std::vector<std::string> pieces,
                                   const Vocabulary& source, const Vocabulary& target,
                                   const ShowOptions& options) {
  AlignedSentence aligned =
      aligned_sentence(line.id, line.source.tokens.pieces, pieces, hypothesis);
  if (options.words) aligned = merge_words(aligned, source, target);
  if (!line.source.empty()) pieces.emplace_back("</s>");
  Links links = links_of(aligned.attention, options.link_threshold);
  return {std::move(text), std::move(pieces), hypothesis, std::move(aligned), std::move(links)};
}

Json translation_json(const ShownTranslation& shown, const ShownKeys& keys) {
  Json object = {{"text", shown.text},
                 {"logp", to_six_decimals(shown.hypothesis.log_probability)},
                 {"score", to_six_decimals(shown.hypothesis.score)},
                 {"finished", shown.hypothesis.finished}};
  if (keys.tokens) {
    Json token_scores = Json::array();
    for (const double score : shown.hypothesis.token_log_probabilities)
      token_scores.push_back(to_six_decimals(score));
    object["tokens"] = shown.tokens;
    object["token_logp"] = std::move(token_scores);
  }
  if (keys.target) object["target"] = shown.aligned.target;
  if (keys.links) object["links"] = links_text(shown.links);
  if (keys.attention) object["attention"] = attention_json(shown.aligned.attention);
  return object;
}

std::string translations_line(int64_t id, const std::vector<ShownTranslation>& translations) {
  Json all = Json::array();
  for (const ShownTranslation& shown : translations) all.push_back(translation_json(shown));
  const Json source = translations.empty() ? Json::array() : Json(translations[0].aligned.source);
  return json_line({{"id", id}, {"source", source}, {"translations", std::move(all)}});
}

}  // namespace heed
