#include "decode/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "decode/search.h"
#include "text/batch.h"
#include "text/length_batches.h"
#include "text/mend.h"

namespace heed {
namespace {

// The stream of a sentence's draw number `draw`. It depends on nothing but these two, so that a
// sentence gets the same draws wherever it stands.
uint64_t stream_of(const std::vector<TokenId>& source, int64_t draw) {
  uint64_t stream = static_cast<uint64_t>(draw);
  for (const TokenId token : source) stream = mix(stream, static_cast<uint64_t>(token));
  return stream;
}

// One search: of a sentence that is not empty, or for one of its draws.
struct Search {
  size_t sentence;
  Request request;
};

std::vector<Search> searches_of(std::span<const std::vector<TokenId>> sources, int64_t draws,
                                std::span<const std::vector<TokenId>> prefixes) {
  std::vector<Search> searches;
  for (size_t i = 0; i < sources.size(); ++i)
    for (int64_t draw = 0; draw < draws && !sources[i].empty(); ++draw)
      searches.push_back(
          {i,
           {prefixes.empty() ? std::vector<TokenId>{} : prefixes[i], stream_of(sources[i], draw)}});
  return searches;
}

// The table costs as much as one step for each word of the target vocabulary. A translation is
// taken to be as long as its source.
void tabulate_words_if_it_pays(const Ensemble& models,
                               std::span<const std::vector<TokenId>> sources, int64_t rows) {
  int64_t words = 0;
  for (const std::vector<TokenId>& source : sources) words += std::ssize(source);
  if (words * rows > models.target_vocabulary()) models.tabulate_words();
}

std::vector<std::vector<int64_t>> batches_of(std::span<const Search> searches,
                                             std::span<const std::vector<TokenId>> sources,
                                             int64_t batch_tokens) {
  std::vector<PairLengths> lengths;
  for (size_t i = 0; i < searches.size(); ++i)
    lengths.push_back(
        {static_cast<int64_t>(i), static_cast<int32_t>(sources[searches[i].sentence].size()), 0});
  BatchOptions options;
  options.batch_tokens = batch_tokens;
  return batches_by_length(lengths, options);
}

// Makes the searches numbered `in_batch` in one batch and puts each result at its
// number in `found`.
void search_batch(const Ensemble& models, std::span<const std::vector<TokenId>> sources,
                  const SearchOptions& options, std::span<const Search> searches,
                  std::span<const int64_t> in_batch, std::vector<std::vector<Hypothesis>>& found) {
  std::vector<std::span<const TokenId>> of_batch;
  std::vector<Request> requests;
  for (const int64_t i : in_batch) {
    const Search& search = searches[static_cast<size_t>(i)];
    of_batch.push_back(sources[search.sentence]);
    requests.push_back(search.request);
  }
  auto results = search(models, make_source_batch(of_batch), options, requests);
  for (size_t b = 0; b < in_batch.size(); ++b)
    found[static_cast<size_t>(in_batch[b])] = std::move(results[b]);
}

// The n-best list of each sentence: the results of its searches, of draws sorted by score.
std::vector<Translation> merged(size_t sentences, std::span<const Search> searches,
                                std::vector<std::vector<Hypothesis>> found, bool sampling) {
  std::vector<Translation> results(sentences);
  for (size_t i = 0; i < searches.size(); ++i) {
    auto& nbest = results[searches[i].sentence].nbest;
    std::move(found[i].begin(), found[i].end(), std::back_inserter(nbest));
  }
  for (Translation& result : results) {
    if (result.nbest.empty()) result.nbest.emplace_back();  // of an empty source
    if (sampling)
      std::stable_sort(result.nbest.begin(), result.nbest.end(),
                       [](const auto& a, const auto& b) { return a.score > b.score; });
  }
  return results;
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
  tabulate_words_if_it_pays(models, sources, of_one.beam * draws);
  const std::vector<Search> searches = searches_of(sources, draws, prefixes);
  const auto batches = batches_of(searches, sources, batch_tokens);
  std::vector<std::vector<Hypothesis>> found(searches.size());
  // One thread per batch if there are enough batches: the products of one step are too small to
  // be shared by several threads.
  parallel_for(static_cast<int64_t>(batches.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      search_batch(models, sources, of_one, searches, batches[static_cast<size_t>(i)], found);
  });
  return merged(sources.size(), searches, std::move(found), options.sampling.has_value());
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
