// Parallel text as ids: 4 bytes per token and 16 per pair, no strings (about 256 MB for a million
// pairs of 30 tokens per side). A large training corpus is kept in a temporary file, so that memory
// does not grow with it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/growing_array.h"
#include "config/config.h"
#include "text/length_batches.h"
#include "text/sentence_pair.h"
#include "text/vocabulary.h"

namespace heed {

// What was read and why pairs were left out.
struct CorpusReport {
  int64_t read = 0, used = 0;
  int64_t empty = 0, too_long = 0;                    // left out
  int64_t first_empty_line = 0, first_long_line = 0;  // 1-based; 0: none
  int64_t invalid_utf8 = 0;                           // lines with replaced bytes
  int64_t source_tokens = 0, target_tokens = 0, source_unknown = 0, target_unknown = 0;
  std::string summary() const;  // one line
};

// Where the ids of a corpus are kept.
struct CorpusStorage {
  static constexpr int64_t kMemoryBytes = int64_t{64} << 20;  // some 600,000 pairs of 12 tokens

  std::string folder;                   // of the temporary file; empty: all stays in memory
  std::string folder_name = "run.dir";  // its name in messages
  int64_t memory_bytes = kMemoryBytes;  // a larger corpus is moved to the file
};

class Corpus {
 public:
  explicit Corpus(CorpusStorage storage = {}) : storage_(std::move(storage)) {}

  // The sides without </s>, valid until the next add. Any number of threads may read.
  std::span<const TokenId> source(int64_t pair) const;
  std::span<const TokenId> target(int64_t pair) const;
  // Those of several pairs, in the order of `pairs`.
  std::vector<SentencePair> pairs(std::span<const int64_t> pairs) const;
  PairLengths lengths(int64_t pair) const;
  std::vector<PairLengths> all_lengths() const;  // of every pair, in order
  int64_t size() const { return size_; }

  // With a folder, both throw UserError "FOLDER: cannot write: REASON; ...", and pairs can only be
  // read after finish().
  void add(std::span<const TokenId> source, std::span<const TokenId> target);
  void finish();

  // Mean length of the longer side, with </s>; 0 without pairs.
  double mean_length() const;
  // A hash of all pairs, by which a resumed run notices that its data changed.
  uint64_t fingerprint() const;

 private:
  // The offsets of a pair in ids_.
  struct Place {
    int64_t source, target, end;
  };
  Place place(int64_t pair) const;
  void move_to_file();

  CorpusStorage storage_;
  bool in_file_ = false;
  GrowingArray<TokenId> ids_;    // of each pair: the source, then the target
  GrowingArray<int64_t> index_;  // of each pair: the offsets in ids_ of its source and its target
  int64_t size_ = 0;
  int64_t longer_sides_ = 0;  // tokens with </s>
  uint64_t hash_ = 0;         // of all pairs
};

// Reads two files or one tsv, line by line. `max_length`: of either side, in tokens; 0: no limit.
// Throws UserError for a missing or empty file, "A has 3 lines, B has 2; they must match", a tsv
// line without exactly one tab (file and line), if no pair is left, and as Corpus::add does.
Corpus read_corpus(const TextFiles& files, const Vocabulary& source, const Vocabulary& target,
                   int64_t max_length, CorpusReport& report, const CorpusStorage& storage = {});

// Reads the lines of both sides as text, with the same checks of the files. Empty lines are kept.
struct ParallelLines {
  std::vector<std::string> source, target;
};
ParallelLines read_parallel_lines(const TextFiles& files);

}  // namespace heed
