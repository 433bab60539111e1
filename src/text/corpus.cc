#include "text/corpus.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "base/error.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "base/random.h"
#include "text/line_pairs.h"

namespace heed {
namespace {

using Ids = std::vector<TokenId>;

// Pairs that are encoded at the same time.
struct Block {
  static constexpr size_t kPairs = 4096;
  std::vector<std::string> source, target;
  std::vector<Ids> source_ids, target_ids;

  // False when there is no further pair.
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

// Adds the pair, or counts why not. `line` is its number.
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

std::span<const TokenId> Corpus::source(int64_t pair) const {
  const auto at = static_cast<size_t>(pair);
  return std::span(source_ids_)
      .subspan(static_cast<size_t>(source_begin_[at]),
               static_cast<size_t>(source_begin_[at + 1] - source_begin_[at]));
}

std::span<const TokenId> Corpus::target(int64_t pair) const {
  const auto at = static_cast<size_t>(pair);
  return std::span(target_ids_)
      .subspan(static_cast<size_t>(target_begin_[at]),
               static_cast<size_t>(target_begin_[at + 1] - target_begin_[at]));
}

void Corpus::add(std::span<const TokenId> source, std::span<const TokenId> target) {
  source_ids_.insert(source_ids_.end(), source.begin(), source.end());
  target_ids_.insert(target_ids_.end(), target.begin(), target.end());
  source_begin_.push_back(static_cast<int64_t>(source_ids_.size()));
  target_begin_.push_back(static_cast<int64_t>(target_ids_.size()));
}

Corpus read_corpus(const TextFiles& files, const Vocabulary& source, const Vocabulary& target,
                   int64_t max_length, CorpusReport& report) {
  report = {};
  Corpus corpus;
  LinePairs pairs(files);
  for (Block block; block.read(pairs);) {
    block.encode(source, target);
    for (size_t i = 0; i < block.source.size(); ++i)
      take(block.source_ids[i], block.target_ids[i], report.read + 1, max_length, corpus, report);
  }
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

uint64_t fingerprint(const Corpus& corpus) {
  uint64_t number = mix(0, static_cast<uint64_t>(corpus.size()));
  const auto add = [&](std::span<const TokenId> ids) {
    number = mix(number, ids.size());
    for (const TokenId id : ids) number = mix(number, static_cast<uint64_t>(id));
  };
  for (int64_t pair = 0; pair < corpus.size(); ++pair) {
    add(corpus.source(pair));
    add(corpus.target(pair));
  }
  return number;
}

}  // namespace heed
