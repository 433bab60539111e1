#include "serve/service.h"

#include <algorithm>

#include "base/memory.h"
#include "base/parallel.h"
#include "decode/json.h"

namespace heed::serve {
namespace {

RequestRules rules_of(const ServiceOptions& options, bool has_attention) {
  return {options.search.beam, options.search.nbest, options.search.sampling.has_value(),
          has_attention,       options.most_beam,    options.most_sentences};
}

BatcherOptions batcher_options(const ServiceOptions& options) {
  return {options.batch_tokens * threads(), options.most_waiting, options.batch_wait};
}

}  // namespace

Service::Service(const Ensemble& models, const Vocabulary& source, const Vocabulary& target,
                 const ServiceOptions& options)
    : models_(models),
      options_(options),
      languages_{source, target},
      rules_(rules_of(options, models.has_attention())),
      batcher_(batcher_options(options), [this](const SearchVariant& variant,
                                                std::span<const std::vector<TokenId>> sentences) {
        return translate_batch(variant, sentences);
      }) {}

std::vector<Translation> Service::translate_batch(const SearchVariant& variant,
                                                  std::span<const std::vector<TokenId>> sentences) {
  int64_t tokens = 0;
  for (const auto& sentence : sentences) tokens += std::ssize(sentence) + 1;
  metrics_.count_batch(std::ssize(sentences), tokens);
  SearchOptions search = options_.search;
  search.beam = variant.beam;
  search.nbest = variant.nbest;
  search.attention = search.attention_of_all = variant.attention;
  // One part per thread: with two threads and 64 clients half as many sentences again per second as
  // with a single part. Parts are not made very small.
  constexpr int64_t kLeast = 60;
  const int64_t part = std::max(kLeast, tokens / threads() + 1);
  return translate_batchwise(models_, sentences, search, std::min(part, options_.batch_tokens));
}

std::vector<TranslatedLine> Service::read_lines(const TranslateRequest& request) const {
  std::vector<TranslatedLine> lines;
  for (const auto& text : request.texts)
    for (const std::string& line : text)
      lines.push_back(
          {std::ssize(lines), token_line(languages_.source, line, kMaxSourceTokens), {}});
  return lines;
}

std::string Service::translate(const std::string& body) {
  const auto deadline = Batcher::Clock::now() + options_.request;
  const TranslateRequest request = parse_request(body, rules_);
  std::vector<TranslatedLine> lines = read_lines(request);
  std::vector<Batcher::Sentence> sentences;
  for (const TranslatedLine& line : lines) sentences.push_back(line.source.tokens.ids);
  auto translations = batcher_.translate(request.search, std::move(sentences), deadline);
  for (size_t i = 0; i < lines.size(); ++i) lines[i].translation = std::move(translations[i]);
  count(lines);
  return json_line(answer(request, lines, languages_));
}

void Service::count(const std::vector<TranslatedLine>& lines) {
  ServerMetrics::Lines counts;
  for (const TranslatedLine& line : lines) {
    ++counts.sentences;
    counts.source_tokens += std::ssize(line.source.tokens.ids);
    counts.target_tokens += std::ssize(line.translation.best().ids);
    counts.cut += line.source.is_cut();
  }
  metrics_.count_lines(counts);
}

double Service::uptime_seconds() const {
  return std::chrono::duration<double>(Batcher::Clock::now() - started_).count();
}

std::string Service::health() const {
  nlohmann::ordered_json all = {{"status", "ok"},
                                {"uptime_seconds", to_six_decimals(uptime_seconds())}};
  all.update(options_.facts);
  all["limits"] = {{"sentences", options_.most_sentences},
                   {"beam", options_.most_beam},
                   {"source_tokens", kMaxSourceTokens},
                   {"waiting_sentences", options_.most_waiting},
                   {"seconds", options_.request.count()}};
  return json_line(all);
}

std::string Service::metrics() const {
  return metrics_.text({batcher_.waiting(), resident_bytes(), uptime_seconds()});
}

}  // namespace heed::serve
