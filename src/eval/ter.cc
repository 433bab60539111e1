#include "eval/ter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <unordered_map>

#include "base/error.h"
#include "eval/band_distance.h"
#include "eval/unicode.h"

namespace heed {
namespace {

constexpr int64_t kLongestBlock = 10;
constexpr int64_t kFarthest = 50;
constexpr int64_t kMostTries = 1000;  // moves, in all rounds of a sentence

using Words = std::vector<int>;

int64_t size_of(const Words& words) { return static_cast<int64_t>(words.size()); }

// A block of the hypothesis that is at another position in the reference.
struct Block {
  int64_t begin, in_reference, length;
};

std::vector<Block> equal_blocks(const Words& hypothesis, const Words& reference) {
  std::vector<Block> blocks;
  for (int64_t h = 0; h < size_of(hypothesis); ++h) {
    const int64_t last = std::min(size_of(reference) - 1, h + kFarthest);
    for (int64_t r = std::max<int64_t>(0, h - kFarthest); r <= last; ++r) {
      const int64_t most =
          std::min({kLongestBlock, size_of(hypothesis) - h, size_of(reference) - r});
      for (int64_t n = 0; n < most; ++n) {
        if (hypothesis[static_cast<size_t>(h + n)] != reference[static_cast<size_t>(r + n)]) break;
        blocks.push_back({h, r, n + 1});
      }
    }
  }
  return blocks;
}

bool any_of(const std::vector<bool>& flags, int64_t begin, int64_t length) {
  const auto first = flags.begin() + begin;
  return std::find(first, first + length, true) != first + length;
}

// Moving a block helps only if it is wrong on both sides and is not in its place already.
bool may_move(const Block& block, const EditPath& path) {
  const int64_t now = path.beside[static_cast<size_t>(block.in_reference)];
  return any_of(path.hypothesis_wrong, block.begin, block.length) &&
         any_of(path.reference_wrong, block.in_reference, block.length) &&
         (now < block.begin || now >= block.begin + block.length);
}

// The words with block [begin, begin + length) moved in front of the word at `target`. A target
// inside the block moves the block that many words towards the end.
Words moved(const Words& words, const Block& block, int64_t target) {
  Words result = words;
  const auto at = [&result](int64_t i) { return result.begin() + std::min(i, size_of(result)); };
  const int64_t end = block.begin + block.length;
  if (target < block.begin) {
    std::rotate(at(target), at(block.begin), at(end));
  } else {
    std::rotate(at(block.begin), at(end), at(target > end ? target : block.length + target));
  }
  return result;
}

struct Move {
  // The greater rank is the better move: first the gain in distance, then the length, then the
  // first block, then the first target.
  std::tuple<int64_t, int64_t, int64_t, int64_t> rank{};
  Words words;
};

class Shifter {
 public:
  Shifter(const Words& hypothesis, const Words& reference)
      : words_(hypothesis), reference_(reference), distance_(reference, hypothesis.size()) {}

  int64_t edits() {
    int64_t moves = 0;
    EditPath path = distance_.follow(words_);
    while (true) {
      const Move best = best_move(path);
      // A round that ran out of tries is discarded.
      if (tries_ >= kMostTries || best.words.empty() || std::get<0>(best.rank) <= 0) break;
      ++moves;
      words_ = best.words;
      path = distance_.follow(words_);
    }
    return moves + path.distance;
  }

 private:
  Move best_move(const EditPath& path) {
    Move best;
    for (const auto& block : equal_blocks(words_, reference_)) {
      if (!may_move(block, path)) continue;
      try_block(block, path, best);
      if (tries_ >= kMostTries) break;
    }
    return best;
  }

  // Tries the positions after each word aligned with the block's words in the reference, and after
  // the word aligned before them.
  void try_block(const Block& block, const EditPath& path, Move& best) {
    int64_t before = -1;
    for (int64_t offset = -1; offset < block.length; ++offset) {
      const int64_t r = block.in_reference + offset;
      if (r >= size_of(reference_)) break;
      const int64_t target = r < 0 ? 0 : path.beside[static_cast<size_t>(r)] + 1;
      if (target == before) continue;
      before = target;
      Words words = moved(words_, block, target);
      const auto changed = std::mismatch(words.begin(), words.end(), words_.begin()).first;
      const auto same = static_cast<size_t>(changed - words.begin());
      const int64_t gain = path.distance - distance_.distance_of(words, same);
      const auto rank = std::make_tuple(gain, block.length, -block.begin, -target);
      ++tries_;
      if (best.words.empty() || rank > best.rank) best = {rank, std::move(words)};
    }
  }

  Words words_;
  const Words& reference_;
  BandDistance distance_;
  int64_t tries_ = 0;
};

// Maps words to integers, equal ones for equal words.
class Numbering {
 public:
  Words number(const std::string& line) {
    Words words;
    for (const auto& word : split_at_spaces(to_code_points(lowercase(line)))) {
      words.push_back(numbers_.emplace(word, static_cast<int>(numbers_.size())).first->second);
    }
    return words;
  }

 private:
  std::unordered_map<std::u32string, int> numbers_;
};

}  // namespace

int64_t count_edits(const std::vector<int>& hypothesis, const std::vector<int>& reference) {
  if (reference.empty()) return size_of(hypothesis);
  if (hypothesis.empty()) return size_of(reference);
  return Shifter(hypothesis, reference).edits();
}

std::vector<double> count_ter(const std::string& hypothesis,
                              const std::vector<std::string>& references) {
  check(!references.empty(), "[count_ter] at least one reference. Received none");
  Numbering numbering;
  const Words words = numbering.number(hypothesis);
  int64_t fewest = 0;
  int64_t length = 0;
  for (size_t r = 0; r < references.size(); ++r) {
    const Words reference = numbering.number(references[r]);
    const int64_t edits = count_edits(words, reference);
    fewest = r == 0 ? edits : std::min(fewest, edits);
    length += size_of(reference);
  }
  return {static_cast<double>(fewest),
          static_cast<double>(length) / static_cast<double>(references.size())};
}

double ter_score(const std::vector<double>& statistics) {
  if (statistics[1] > 0) return 100 * (statistics[0] / statistics[1]);
  return statistics[0] > 0 ? 100.0 : 0.0;
}

std::string ter_signature(size_t references) {
  return fmt::format("nrefs:{}|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:heed-{}",
                     references, HEED_VERSION);
}

std::string ter_details(const std::vector<double>& statistics) {
  return fmt::format("(edits = {:.0f} ref_len = {:.1f})", statistics[0], statistics[1]);
}

}  // namespace heed
