#include "serve/answer.h"

#include <fmt/format.h>

#include "decode/json.h"
#include "serve/http_error.h"

namespace heed::serve {
namespace {

using Json = nlohmann::ordered_json;

// About 100 MB of text.
constexpr size_t kMostWeights = 10'000'000;

void check_size(const TranslateRequest& request, std::span<const TranslatedLine> lines) {
  if (!request.attention && !request.everything) return;
  size_t weights = 0;
  for (const TranslatedLine& line : lines)
    for (const Hypothesis& hypothesis : line.translation.nbest)
      weights += hypothesis.attention.size() * (line.source.tokens.ids.size() + 1);
  if (weights > kMostWeights)
    refuse(413,
           "the attention has {} values, too many for one response: send fewer or shorter texts",
           weights);
}

ShownKeys keys_of(const TranslateRequest& request) {
  ShownKeys keys;
  keys.tokens = request.everything;
  keys.links = request.alignment || request.everything;
  keys.attention = request.attention || request.everything;
  keys.target = keys.links || keys.attention;
  return keys;
}

class LineAnswer {
 public:
  LineAnswer(const TranslateRequest& request, const Languages& languages)
      : request_(request), languages_(languages), keys_(keys_of(request)) {}

  Json operator()(const TranslatedLine& line) const {
    const ShownTranslation best = shown(line, line.translation.best());
    Json entry = translation_json(best, keys_);
    if (keys_.target) entry["source"] = best.aligned.source;
    if (request_.search.nbest > 1) {
      Json& all = entry["nbest"] = Json::array();
      for (const Hypothesis& hypothesis : line.translation.nbest)
        all.push_back(translation_json(shown(line, hypothesis), keys_));
    }
    if (line.source.is_cut())
      entry["note"] = fmt::format("the line has {} tokens and was cut to the first {}",
                                  line.source.tokens_before_cut, line.source.tokens.ids.size());
    return entry;
  }

 private:
  ShownTranslation shown(const TranslatedLine& line, const Hypothesis& hypothesis) const {
    return shown_translation(line, hypothesis, languages_.target.decode(hypothesis.ids),
                             pieces_of(languages_.target, hypothesis.ids), languages_.source,
                             languages_.target, {request_.words, languages_.link_threshold});
  }

  const TranslateRequest& request_;
  const Languages& languages_;
  const ShownKeys keys_;
};

Json of_lines(Json lines) {
  std::string text;
  double logp = 0, score = 0;
  for (const Json& line : lines) {
    if (&line != &lines.front()) text += '\n';
    text += line["text"].get<std::string>();
    logp += line["logp"].get<double>();
    score += line["score"].get<double>();
  }
  return {{"text", std::move(text)},
          {"logp", to_six_decimals(logp)},
          {"score", to_six_decimals(score)},
          {"lines", std::move(lines)}};
}

}  // namespace

Json answer(const TranslateRequest& request, std::span<const TranslatedLine> lines,
            const Languages& languages) {
  check_size(request, lines);
  const LineAnswer line_answer(request, languages);
  Json entries = Json::array();
  for (const auto& text : request.texts) {
    Json of_text = Json::array();
    for (const TranslatedLine& line : lines.first(text.size()))
      of_text.push_back(line_answer(line));
    lines = lines.subspan(text.size());
    entries.push_back(of_text.size() == 1 ? std::move(of_text[0]) : of_lines(std::move(of_text)));
  }
  return {{"translations", std::move(entries)}};
}

}  // namespace heed::serve
