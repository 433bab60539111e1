#include "text/shortlist.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/files.h"
#include "base/numbers.h"

namespace heed {
namespace {

constexpr TokenId kFirstPiece = 3;  // after <unk>, <s> and </s>
constexpr std::string_view kNullName = "NULL";

// The indices of a row's best targets, best first; of equal ones, the smaller id first.
std::vector<size_t> best_of(const LexiconRow& row, int64_t count) {
  std::vector<size_t> order(row.targets.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&row](size_t a, size_t b) {
    return row.probabilities[a] > row.probabilities[b];
  });
  std::erase_if(order, [&row](size_t i) { return row.targets[i] < kFirstPiece; });
  if (count > 0 && order.size() > static_cast<size_t>(count))
    order.resize(static_cast<size_t>(count));
  return order;
}

struct PieceHash {
  using is_transparent = void;
  size_t operator()(std::string_view piece) const { return std::hash<std::string_view>()(piece); }
};
using Ids = std::unordered_map<std::string, TokenId, PieceHash, std::equal_to<>>;

Ids ids_of(const Vocabulary& vocabulary) {
  Ids ids;
  for (TokenId id = kFirstPiece; id < vocabulary.size(); ++id)
    ids.emplace(vocabulary.piece(id), id);
  return ids;
}

TokenId find(const Ids& ids, std::string_view piece) {
  const auto found = ids.find(piece);
  return found == ids.end() ? kUnknown : found->second;
}

struct Candidate {
  TokenId target;
  double probability;
};

// The first fields of a line, and how many it has. A lexicon is long, so nothing is allocated.
size_t split(std::string_view line, std::span<std::string_view> fields) {
  constexpr std::string_view kBlanks = " \t";
  size_t count = 0;
  for (size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos; ++count) {
    const size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    if (count < fields.size()) fields[count] = line.substr(begin, end - begin);
    begin = line.find_first_not_of(kBlanks, end);
  }
  return count;
}

// The lines of a lexicon file, as ids.
class LexiconReader {
 public:
  LexiconReader(const std::string& path, const Vocabulary& source, const Vocabulary& target)
      : lines_(path),
        source_(ids_of(source)),
        target_(ids_of(target)),
        candidates_(static_cast<size_t>(source.size())) {}

  std::vector<std::vector<Candidate>> read() {
    for (std::string line; lines_.next(line);) take(line);
    if (lines_.line_number() == 0) fail("{}: file is empty", lines_.path());
    if (known_ == 0)
      fail(
          "{}: no line has pieces of the model's vocabularies; its lines are TARGET SOURCE "
          "PROBABILITY, made by heed shortlist with this model",
          lines_.path());
    if (unknown_ > 0)
      spdlog::warn("{}: {} of {} lines have pieces that the model's vocabularies don't have{}",
                   lines_.path(), format_thousands(unknown_),
                   format_thousands(lines_.line_number()),
                   unknown_ > known_ ? ": is it the lexicon of another model? Translations may be "
                                       "far worse with it"
                                     : "");
    return std::move(candidates_);
  }

 private:
  void take(std::string_view line) {
    std::array<std::string_view, 3> fields;
    const size_t count = split(line, fields);
    if (count != fields.size())
      fail("{}:{}: needs the three fields TARGET SOURCE PROBABILITY, has {}", lines_.path(),
           lines_.line_number(), count);
    const auto probability = parse_real(fields[2]);
    if (!probability || *probability < 0 || *probability > 1)
      fail("{}:{}: '{}' is not a probability (a number from 0 to 1)", lines_.path(),
           lines_.line_number(), fields[2]);
    const TokenId target = find(target_, fields[0]), source = find(source_, fields[1]);
    const bool known = target != kUnknown && source != kUnknown;
    if (known) candidates_[static_cast<size_t>(source)].push_back({target, *probability});
    known_ += known;
    unknown_ += !known && fields[0] != kNullName && fields[1] != kNullName;
  }

  LineReader lines_;
  Ids source_, target_;
  std::vector<std::vector<Candidate>> candidates_;  // of each source id
  int64_t known_ = 0, unknown_ = 0;
};

// Keeps the most probable ones; of equal ones, those of earlier lines.
void keep_best(std::vector<Candidate>& candidates, int64_t count) {
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.probability > b.probability; });
  if (candidates.size() > static_cast<size_t>(count)) candidates.resize(static_cast<size_t>(count));
}

// <unk>, <s>, </s> and the `count` target pieces with the largest sums of probabilities over all
// source pieces; of equal ones, the smaller ids.
std::vector<TokenId> frequent_pieces(const std::vector<std::vector<Candidate>>& lexicon,
                                     int64_t target_size, int64_t count) {
  std::vector<double> sums(static_cast<size_t>(target_size));
  for (const auto& candidates : lexicon)
    for (const Candidate& candidate : candidates)
      sums[static_cast<size_t>(candidate.target)] += candidate.probability;
  std::vector<TokenId> ids(static_cast<size_t>(target_size));
  std::iota(ids.begin(), ids.end(), 0);
  std::stable_sort(ids.begin() + kFirstPiece, ids.end(), [&sums](TokenId a, TokenId b) {
    return sums[static_cast<size_t>(a)] > sums[static_cast<size_t>(b)];
  });
  ids.resize(static_cast<size_t>(kFirstPiece + std::min(count, target_size - kFirstPiece)));
  return ids;
}

}  // namespace

int64_t write_lexicon(Output& out, const std::vector<LexiconRow>& lexicon, const Vocabulary& source,
                      const Vocabulary& target, int64_t candidates) {
  constexpr int kDecimals = 7;
  constexpr double kLeast = 5e-8;
  int64_t lines = 0;
  for (TokenId id = kFirstPiece; id < source.size(); ++id) {
    const LexiconRow& row = lexicon[static_cast<size_t>(id)];
    for (const size_t i : best_of(row, candidates)) {
      if (row.probabilities[i] < kLeast) break;
      out.line(fmt::format("{} {} {}", target.piece(row.targets[i]), source.piece(id),
                           format_fixed(row.probabilities[i], kDecimals)));
      ++lines;
    }
  }
  return lines;
}

Shortlister::Shortlister(const std::string& path, const Vocabulary& source,
                         const Vocabulary& target, const ShortlistOptions& options)
    : target_size_(static_cast<size_t>(target.size())), copies_(&source == &target) {
  auto lexicon = LexiconReader(path, source, target).read();
  int64_t sources = 0, sum = 0;
  for (std::vector<Candidate>& candidates : lexicon) {
    keep_best(candidates, options.candidates);
    sources += !candidates.empty();
    sum += static_cast<int64_t>(candidates.size());
    std::vector<TokenId>& targets = candidates_.emplace_back();
    for (const Candidate& candidate : candidates) targets.push_back(candidate.target);
  }
  always_ = frequent_pieces(lexicon, target.size(), options.frequent);
  summary_ = fmt::format("{}: {} source pieces, {} candidates, {} frequent pieces", path,
                         format_thousands(sources), format_thousands(sum),
                         format_thousands(static_cast<int64_t>(always_.size()) - kFirstPiece));
}

Shortlist Shortlister::of(std::span<const TokenId> source) const {
  std::vector<uint8_t> wanted(target_size_);
  const auto want = [&wanted](TokenId id) { wanted[static_cast<size_t>(id)] = 1; };
  std::for_each(always_.begin(), always_.end(), want);
  for (const TokenId token : source) {
    const std::vector<TokenId>& candidates = candidates_[static_cast<size_t>(token)];
    std::for_each(candidates.begin(), candidates.end(), want);
    if (copies_) want(token);
  }
  Shortlist shortlist;
  for (size_t id = 0; id < target_size_; ++id)
    if (wanted[id]) shortlist.push_back(static_cast<TokenId>(id));
  return shortlist;
}

}  // namespace heed
