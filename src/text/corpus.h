// Parallel text as ids in memory: 4 bytes a token, no strings (about 250 MB for a million pairs of
// 30 tokens a side).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/config.h"
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

class Corpus {
 public:
  int64_t size() const { return static_cast<int64_t>(source_begin_.size()) - 1; }
  std::span<const TokenId> source(int64_t pair) const;  // without </s>
  std::span<const TokenId> target(int64_t pair) const;
  void add(std::span<const TokenId> source, std::span<const TokenId> target);

 private:
  std::vector<TokenId> source_ids_, target_ids_;
  std::vector<int64_t> source_begin_{0}, target_begin_{0};
};

// Reads two files or one tsv, line by line. `max_length` 0: no limit. Throws UserError: a missing
// or empty file, "A has 3 lines, B has 2; they must match", a tsv line without exactly one tab
// (file and line), no pair left.
Corpus read_corpus(const TextFiles& files, const Vocabulary& source, const Vocabulary& target,
                   int64_t max_length, CorpusReport& report);

// Reads the lines of both sides as text (validation references). Same checks; keeps empty lines.
struct ParallelLines {
  std::vector<std::string> source, target;
};
ParallelLines read_parallel_lines(const TextFiles& files);

// A number that changes with any pair of the corpus: resuming with other data is noticed by it.
uint64_t fingerprint(const Corpus& corpus);

}  // namespace heed
