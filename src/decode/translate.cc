#include "decode/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "decode/search.h"
#include "text/batch.h"
#include "text/corpus.h"
#include "text/mend.h"

namespace heed {
namespace {

Translation empty_translation() { return {{Hypothesis{}}}; }

// Of draw number `draw` of a sentence: it must not depend on where the sentence stands.
uint64_t stream_of(const std::vector<TokenId>& source, int64_t draw) {
  uint64_t stream = static_cast<uint64_t>(draw);
  for (const TokenId token : source) stream = mix(stream, static_cast<uint64_t>(token));
  return stream;
}

}  // namespace

std::vector<Translation> translate_batchwise(const Ensemble& models,
                                             std::span<const std::vector<TokenId>> sources,
                                             const SearchOptions& options, int64_t batch_tokens,
                                             std::span<const std::vector<TokenId>> prefixes) {
  check(prefixes.empty() || prefixes.size() == sources.size(),
        "[translate_batchwise] a prefix for each source, or none. Received {} for {}",
        prefixes.size(), sources.size());
  const int64_t draws = options.sampling ? options.nbest : 1;
  SearchOptions of_one = options;
  if (options.sampling) of_one.beam = of_one.nbest = 1;
  std::vector<Translation> results(sources.size());
  Corpus corpus;                  // the sources that are not empty, with an empty target
  std::vector<size_t> result_of;  // which result each of them is
  std::vector<Request> requests;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].empty()) {
      results[i] = empty_translation();
      continue;
    }
    for (int64_t draw = 0; draw < draws; ++draw) {
      corpus.add(sources[i], {});
      result_of.push_back(i);
      requests.push_back(
          {prefixes.empty() ? std::vector<TokenId>{} : prefixes[i], stream_of(sources[i], draw)});
    }
  }
  const auto add = [](int64_t sum, const auto& tokens) { return sum + std::ssize(tokens); };
  const int64_t words = std::accumulate(sources.begin(), sources.end(), int64_t{0}, add);
  if (words * of_one.beam * draws > models.target_vocabulary()) models.tabulate_words();
  BatchOptions batching;
  batching.batch_tokens = batch_tokens;
  const auto batches = sorted_batches(corpus, batching);
  std::vector<std::vector<Hypothesis>> searched(result_of.size());
  // A thread for each batch while there are enough: the products of one step are too small to be
  // shared by several.
  parallel_for(static_cast<int64_t>(batches.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto& pairs = batches[static_cast<size_t>(i)];
      std::vector<Request> of_batch;
      for (const int64_t pair : pairs) of_batch.push_back(requests[static_cast<size_t>(pair)]);
      auto found = search(models, make_batch(corpus, pairs), of_one, of_batch);
      for (size_t b = 0; b < pairs.size(); ++b)
        searched[static_cast<size_t>(pairs[b])] = std::move(found[b]);
    }
  });
  for (size_t pair = 0; pair < searched.size(); ++pair) {
    auto& nbest = results[result_of[pair]].nbest;
    std::move(searched[pair].begin(), searched[pair].end(), std::back_inserter(nbest));
  }
  if (options.sampling)
    for (Translation& result : results)
      std::stable_sort(result.nbest.begin(), result.nbest.end(),
                       [](const auto& a, const auto& b) { return a.score > b.score; });
  return results;
}

std::string TranslationCounts::summary() const {
  std::string text = fmt::format("{} lines read, {} written, {} empty, {} truncated", read, written,
                                 empty, truncated);
  if (mended > 0) text += fmt::format(", {} with invalid UTF-8 read as U+FFFD", mended);
  if (nothing > 0) text += fmt::format(", {} translated to nothing", nothing);
  if (unfinished > 0) text += fmt::format(", {} stopped at the length limit", unfinished);
  if (unknown > 0)
    text += fmt::format(", {} of {} source pieces unknown ({:.2f} %)", unknown, tokens,
                        100 * static_cast<double>(unknown) / static_cast<double>(tokens));
  return text;
}

struct Translator::Window {
  std::vector<TokenLine> lines;
  std::vector<std::vector<TokenId>> prefixes;
  WindowSize size;
};

const TokenLine& Translator::add(Window& window, std::string_view line) {
  const TokenLine& added = window.lines.emplace_back(token_line(source_, line, kMaxSourceTokens));
  window.size.add(added);
  if (options_.next_prefix) window.prefixes.push_back(options_.next_prefix());
  return added;
}

void Translator::translate(Window& window, const Sink& sink, TranslationCounts& counts) {
  std::vector<std::vector<TokenId>> sources;
  for (const TokenLine& line : window.lines) sources.push_back(line.tokens.ids);
  auto translations = translate_batchwise(models_, sources, options_.search, options_.batch_tokens,
                                          window.prefixes);
  for (size_t i = 0; i < translations.size(); ++i) {
    const Hypothesis& best = translations[i].best();
    counts.empty += sources[i].empty();
    counts.nothing += best.ids.empty() && !sources[i].empty();
    counts.unfinished += !best.finished;
    counts.tokens += std::ssize(sources[i]);
    counts.unknown += std::count(sources[i].begin(), sources[i].end(), kUnknown);
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
    const bool must_wait = options_.one_by_one || !lines.ready();
    if (!window.lines.empty() && (must_wait || window.size.is_full())) {
      translate(window, sink, counts);
      flush();
    }
    if (!lines.next(line)) break;
    counts.mended += !is_valid_utf8(line);
    cut.note(add(window, line), lines.path(), ++counts.read);
  }
  counts.truncated = cut.count();
  return counts;
}

TranslationCounts Translator::run(std::span<const std::string> lines, const Sink& sink) {
  TranslationCounts counts;
  Window window;
  for (const std::string& line : lines) {
    ++counts.read;
    counts.mended += !is_valid_utf8(line);
    counts.truncated += add(window, line).is_cut();
    if (window.size.is_full()) translate(window, sink, counts);
  }
  if (!window.lines.empty()) translate(window, sink, counts);
  return counts;
}

}  // namespace heed
