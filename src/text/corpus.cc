#include "text/corpus.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "base/random.h"
#include "text/line_pairs.h"

namespace heed {
namespace {

using Ids = std::vector<TokenId>;

// Pairs that are encoded together, by several threads.
struct Block {
  static constexpr size_t kPairs = 4096;
  std::vector<std::string> source, target;
  std::vector<Ids> source_ids, target_ids;

  // Reads the next pairs; false if there are none.
  bool read(LinePairs& pairs) {
    source.resize(kPairs);
    target.resize(kPairs);
    size_t count = 0;
    while (count < kPairs && pairs.next(source[count], target[count])) ++count;
    source.resize(count);
    target.resize(count);
    return count > 0;
  }

  void encode(const Vocabulary& source_vocabulary, const Vocabulary& target_vocabulary) {
    source_ids.resize(source.size());
    target_ids.resize(source.size());
    constexpr int64_t kGrain = 64;
    parallel_for(static_cast<int64_t>(source.size()), kGrain, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        source_ids[i] = source_vocabulary.encode(source[i]);
        target_ids[i] = target_vocabulary.encode(target[i]);
      }
    });
  }
};

int64_t count_unknown(const Ids& ids) { return std::count(ids.begin(), ids.end(), kUnknown); }

// Adds a pair, or counts why it is left out. `line` is its number.
void take(const Ids& source, const Ids& target, int64_t line, int64_t max_length, Corpus& corpus,
          CorpusReport& report) {
  ++report.read;
  if (source.empty() || target.empty()) {
    if (report.empty++ == 0) report.first_empty_line = line;
    return;
  }
  const auto length = static_cast<int64_t>(std::max(source.size(), target.size()));
  if (max_length > 0 && length > max_length) {
    if (report.too_long++ == 0) report.first_long_line = line;
    return;
  }
  ++report.used;
  report.source_tokens += static_cast<int64_t>(source.size());
  report.target_tokens += static_cast<int64_t>(target.size());
  report.source_unknown += count_unknown(source);
  report.target_unknown += count_unknown(target);
  corpus.add(source, target);
}

double percent(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void warn_of_unknown(const char* side, int64_t unknown, int64_t tokens) {
  constexpr double kMany = 5.0;
  if (percent(unknown, tokens) > kMany)
    spdlog::warn(
        "{} % of the {} tokens are not in the vocabulary: is it the right one for this text, and "
        "data.vocab_size large enough?",
        format_fixed(percent(unknown, tokens), 1), side);
}

}  // namespace

std::string CorpusReport::summary() const {
  std::string text =
      fmt::format("{} pairs read, {} used", format_thousands(read), format_thousands(used));
  const auto left_out = [&](int64_t count, const char* reason, int64_t first) {
    if (count > 0)
      text += fmt::format("; {} {} (first: line {})", format_thousands(count), reason, first);
  };
  left_out(empty, "skipped with an empty side", first_empty_line);
  left_out(too_long, "skipped as too long", first_long_line);
  if (invalid_utf8 > 0)
    text += fmt::format("; {} lines with invalid UTF-8 mended", format_thousands(invalid_utf8));
  return text + fmt::format("; source {} tokens ({} % unknown), target {} ({} % unknown)",
                            format_thousands(source_tokens),
                            format_fixed(percent(source_unknown, source_tokens), 2),
                            format_thousands(target_tokens),
                            format_fixed(percent(target_unknown, target_tokens), 2));
}

void Corpus::add(std::span<const TokenId> source, std::span<const TokenId> target) {
  const int64_t begin = ids_.size();
  const std::array places{begin, begin + static_cast<int64_t>(source.size())};
  index_.append(places);
  ids_.append(source);
  ids_.append(target);
  ++size_;
  longer_sides_ += static_cast<int64_t>(std::max(source.size(), target.size())) + 1;
  for (const auto side : {source, target}) {
    hash_ = mix(hash_, side.size());
    for (const TokenId id : side) hash_ = mix(hash_, static_cast<uint64_t>(id));
  }
  if (!storage_.folder.empty() && !in_file_) {
    const auto bytes = ids_.size() * static_cast<int64_t>(sizeof(TokenId)) +
                       index_.size() * static_cast<int64_t>(sizeof(int64_t));
    if (bytes > storage_.memory_bytes) move_to_file();
  }
}

void Corpus::move_to_file() {
  const std::string advice =
      fmt::format("the text is kept there while it is in use: free some space or choose another {}",
                  storage_.folder_name);
  ids_.move_to_file(storage_.folder, advice);
  index_.move_to_file(storage_.folder, advice);
  in_file_ = true;
}

void Corpus::finish() {
  ids_.finish();
  index_.finish();
}

Corpus::Place Corpus::place(int64_t pair) const {
  const bool last = pair + 1 == size_;
  const auto places = index_.view(2 * pair, last ? 2 : 3);
  return {places[0], places[1], last ? ids_.size() : places[2]};
}

std::span<const TokenId> Corpus::source(int64_t pair) const {
  const Place at = place(pair);
  return ids_.view(at.source, at.target - at.source);
}

std::span<const TokenId> Corpus::target(int64_t pair) const {
  const Place at = place(pair);
  return ids_.view(at.target, at.end - at.target);
}

std::vector<SentencePair> Corpus::pairs(std::span<const int64_t> pairs) const {
  std::vector<SentencePair> views;
  for (const int64_t pair : pairs) views.push_back({source(pair), target(pair)});
  return views;
}

PairLengths Corpus::lengths(int64_t pair) const {
  const Place at = place(pair);
  return {pair, static_cast<int32_t>(at.target - at.source),
          static_cast<int32_t>(at.end - at.target)};
}

std::vector<PairLengths> Corpus::all_lengths() const {
  std::vector<PairLengths> all;
  for (int64_t pair = 0; pair < size_; ++pair) all.push_back(lengths(pair));
  return all;
}

double Corpus::mean_length() const {
  return size_ == 0 ? 0.0 : static_cast<double>(longer_sides_) / static_cast<double>(size_);
}

uint64_t Corpus::fingerprint() const { return mix(hash_, static_cast<uint64_t>(size_)); }

Corpus read_corpus(const TextFiles& files, const Vocabulary& source, const Vocabulary& target,
                   int64_t max_length, CorpusReport& report, const CorpusStorage& storage) {
  report = {};
  Corpus corpus(storage);
  LinePairs pairs(files);
  for (Block block; block.read(pairs);) {
    block.encode(source, target);
    for (size_t i = 0; i < block.source.size(); ++i)
      take(block.source_ids[i], block.target_ids[i], report.read + 1, max_length, corpus, report);
  }
  corpus.finish();
  report.invalid_utf8 = pairs.mended();
  if (report.used == 0)
    fail("{}: all {} pairs were left out: {} with an empty side, {} too long (data.max_length: {})",
         pairs.names(), report.read, report.empty, report.too_long, max_length);
  if (report.invalid_utf8 > 0)
    spdlog::warn(
        "{}: {} lines are not valid UTF-8 (Latin-1, perhaps): their wrong bytes became U+FFFD",
        pairs.names(), format_thousands(report.invalid_utf8));
  warn_of_unknown("source", report.source_unknown, report.source_tokens);
  warn_of_unknown("target", report.target_unknown, report.target_tokens);
  return corpus;
}

ParallelLines read_parallel_lines(const TextFiles& files) {
  ParallelLines lines;
  LinePairs pairs(files);
  for (std::string source, target; pairs.next(source, target);) {
    lines.source.push_back(source);
    lines.target.push_back(target);
  }
  return lines;
}

}  // namespace heed
