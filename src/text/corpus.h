// Parallel text as ids: 4 bytes a token and 16 a pair, no strings (about 256 MB for a million pairs
// of 30 tokens a side). A large corpus of training lies in a temporary file, so that memory does
// not grow with it.
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

// Why pairs were left out, for the log and the tests.
struct CorpusReport {
  int64_t read = 0, used = 0;
  int64_t empty = 0, too_long = 0;                    // left out
  int64_t first_empty_line = 0, first_long_line = 0;  // 1-based; 0: none
  int64_t invalid_utf8 = 0;                           // lines mended
  int64_t source_tokens = 0, target_tokens = 0, source_unknown = 0, target_unknown = 0;
  std::string summary() const;  // one line
};

// Where the ids of a corpus go.
struct CorpusStorage {
  static constexpr int64_t kMemoryBytes = int64_t{64} << 20;  // some 600,000 pairs of 12 tokens

  std::string folder;                   // of the temporary file; empty: all stays in memory
  std::string folder_name = "run.dir";  // how messages call it
  int64_t memory_bytes = kMemoryBytes;  // a corpus larger than this goes to the file
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

  // With a folder, both throw UserError "FOLDER: cannot write: REASON; ...", and pairs can be read
  // after finish() only.
  void add(std::span<const TokenId> source, std::span<const TokenId> target);
  void finish();

  // Mean length of the longer side, with </s>; 0 without pairs.
  double mean_length() const;
  // A number that changes with any pair: resuming with other data is noticed by it.
  uint64_t fingerprint() const;

 private:
  // Where in ids_ a pair lies.
  struct Place {
    int64_t source, target, end;
  };
  Place place(int64_t pair) const;
  void move_to_file();

  CorpusStorage storage_;
  bool in_file_ = false;
  GrowingArray<TokenId> ids_;    // of each pair: the source, then the target
  GrowingArray<int64_t> index_;  // of each pair: where in ids_ its source begins, and its target
  int64_t size_ = 0;
  int64_t longer_sides_ = 0;  // tokens with </s>
  uint64_t hash_ = 0;         // of all pairs
};

// Reads two files or one tsv, line by line. `max_length` 0: no limit. Throws UserError: a missing
// or empty file, "A has 3 lines, B has 2; they must match", a tsv line without exactly one tab
// (file and line), no pair left; those of Corpus::add.
Corpus read_corpus(const TextFiles& files, const Vocabulary& source, const Vocabulary& target,
                   int64_t max_length, CorpusReport& report, const CorpusStorage& storage = {});

// Reads the lines of both sides as text (validation references). Same checks; keeps empty lines.
struct ParallelLines {
  std::vector<std::string> source, target;
};
ParallelLines read_parallel_lines(const TextFiles& files);

}  // namespace heed
