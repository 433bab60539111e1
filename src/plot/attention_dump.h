// Reads attention dumps: JSON Lines with one sentence per line, as `heed translate
// --attention` writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed {

struct NamedWeights {
  std::string name;
  std::vector<std::vector<double>> weights;  // [T][S]
};

struct AttentionRecord {
  int64_t line = 0;  // line number in the dump, from 1
  int64_t id = 0;    // "id", or line - 1 if there is none
  std::vector<std::string> source, target;
  std::string matrix = "attention";          // the name of the dump's matrix that `weights` holds
  std::vector<std::vector<double>> weights;  // [T][S]: one row per target token
  std::vector<NamedWeights> others;          // further matrices with their names: heads, gradients
  std::optional<std::string> links;          // "0-0 2-1": source-target, in tokens of the dump
  std::optional<double> score;               // natural log-probability
};

// A selection of lines such as "1,4-7". An empty text selects all lines.
class LineSelection {
 public:
  // Throws UserError "--lines ...: ..." for anything but line numbers from 1 and ranges of them.
  explicit LineSelection(const std::string& text);

  bool contains(int64_t line) const;
  int64_t last() const;  // the greatest line; 0 if all lines are selected

 private:
  struct Range {
    int64_t first = 0, last = 0;
  };
  std::vector<Range> ranges_;
};

// The selected sentences in the dump's order, without empty lines. Throws UserError "FILE:LINE:
// ..." for invalid JSON, a missing key, a matrix whose shape does not match the tokens, or values
// of "attention" that are not probabilities; also if a selected line is past the end, or no
// sentence is left.
//
// `matrix` is the key that `weights` is read from. "attention" is read as it is. All other matrices
// have signs and any magnitude (`heed explain`): their values are converted to shares, |value|
// divided by the sum of its row, or zero if that sum is zero. "gradient", "integrated", "erasure"
// and any other key with numbers in the shape of "attention" is a matrix; those besides `matrix`
// are read into `others`.
std::vector<AttentionRecord> read_attention(const std::string& path, const LineSelection& lines,
                                            const std::string& matrix = "attention");

// As read_attention(), for callers that show all matrices. `weights` is the first known matrix of
// the sentence, and all values are as they are in the dump.
std::vector<AttentionRecord> read_matrices(const std::string& path, const LineSelection& lines);

// All sentences; the list may be empty.
std::vector<AttentionRecord> read_attention_or_none(const std::string& path);

}  // namespace heed
