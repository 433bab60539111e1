#include "decode/translate.h"

#include <fmt/format.h>

#include <iterator>
#include <numeric>

#include "base/parallel.h"
#include "decode/search.h"
#include "text/batch.h"
#include "text/corpus.h"

namespace heed {
namespace {

Translation empty_translation() { return {{Hypothesis{}}}; }

}  // namespace

std::vector<Translation> translate_batchwise(Model& model,
                                             std::span<const std::vector<TokenId>> sources,
                                             const SearchOptions& options, int64_t batch_tokens) {
  std::vector<Translation> results(sources.size());
  Corpus corpus;                  // the sources that are not empty, with an empty target
  std::vector<size_t> result_of;  // which result each of them is
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].empty()) {
      results[i] = empty_translation();
      continue;
    }
    corpus.add(sources[i], {});
    result_of.push_back(i);
  }
  const auto add = [](int64_t sum, const auto& tokens) { return sum + std::ssize(tokens); };
  const int64_t words = std::accumulate(sources.begin(), sources.end(), int64_t{0}, add);
  if (words * options.beam > model.target_vocabulary()) model.tabulate_words();
  BatchOptions batching;
  batching.batch_tokens = batch_tokens;
  const auto batches = sorted_batches(corpus, batching);
  // A thread for each batch while there are enough: the products of one step are too small to be
  // shared by several.
  parallel_for(static_cast<int64_t>(batches.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto& pairs = batches[static_cast<size_t>(i)];
      auto found = search(model, make_batch(corpus, pairs), options);
      for (size_t b = 0; b < pairs.size(); ++b)
        results[result_of[static_cast<size_t>(pairs[b])]].nbest = std::move(found[b]);
    }
  });
  return results;
}

std::string TranslationCounts::summary() const {
  std::string text = fmt::format("{} lines read, {} written, {} empty, {} truncated", read, written,
                                 empty, truncated);
  if (nothing > 0) text += fmt::format(", {} translated to nothing", nothing);
  if (unfinished > 0) text += fmt::format(", {} stopped at the length limit", unfinished);
  return text;
}

struct Translator::Window {
  std::vector<TokenLine> lines;
  WindowSize size;

  TokenLine& add(TokenLine line) {
    size.add(line);
    return lines.emplace_back(std::move(line));
  }
};

void Translator::translate(Window& window, const Sink& sink, TranslationCounts& counts) {
  std::vector<std::vector<TokenId>> sources;
  for (const TokenLine& line : window.lines) sources.push_back(line.tokens.ids);
  auto translations = translate_batchwise(model_, sources, options_.search, options_.batch_tokens);
  for (size_t i = 0; i < translations.size(); ++i) {
    const Hypothesis& best = translations[i].best();
    counts.empty += sources[i].empty();
    counts.nothing += best.ids.empty() && !sources[i].empty();
    counts.unfinished += !best.finished;
    sink({counts.written++, std::move(window.lines[i]), std::move(translations[i])});
  }
  window = {};
}

TranslationCounts Translator::run(LineReader& lines, const Sink& sink,
                                  const std::function<void()>& flush) {
  TranslationCounts counts;
  CutLines cut;
  Window window;
  for (std::string line;;) {
    const bool must_wait = !lines.ready();
    if (!window.lines.empty() && (must_wait || window.size.is_full())) {
      translate(window, sink, counts);
      flush();
    }
    if (!lines.next(line)) break;
    const TokenLine& added = window.add(token_line(source_, line, kMaxSourceTokens));
    cut.note(added, lines.path(), ++counts.read);
  }
  counts.truncated = cut.count();
  return counts;
}

TranslationCounts Translator::run(std::span<const std::string> lines, const Sink& sink) {
  TranslationCounts counts;
  Window window;
  for (const std::string& line : lines) {
    ++counts.read;
    counts.truncated += window.add(token_line(source_, line, kMaxSourceTokens)).is_cut();
    if (window.size.is_full()) translate(window, sink, counts);
  }
  if (!window.lines.empty()) translate(window, sink, counts);
  return counts;
}

}  // namespace heed
