// Reading attention dumps: JSON Lines, one sentence a line, as `heed translate --attention` writes
// them.
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
  int64_t line = 0;  // in the dump, from 1
  int64_t id = 0;    // "id", or line - 1 without one
  std::vector<std::string> source, target;
  std::string matrix = "attention";          // which of the dump's matrices the weights are
  std::vector<std::vector<double>> weights;  // [T][S]: a row for each target token
  std::vector<NamedWeights> others;          // further matrices, by name: heads, gradients
  std::optional<std::string> links;          // "0-0 2-1": source-target, in the tokens of the dump
  std::optional<double> score;               // natural log-probability
};

// A choice of lines: "1,4-7". Empty: all lines.
class LineSelection {
 public:
  // Throws UserError "--lines ...: ..." for anything but numbers from 1 and ranges.
  explicit LineSelection(const std::string& text);

  bool contains(int64_t line) const;
  int64_t last() const;  // the greatest line; 0 for all lines

 private:
  struct Range {
    int64_t first = 0, last = 0;
  };
  std::vector<Range> ranges_;
};

// The chosen sentences, in the dump's order, without those of empty lines. Throws UserError
// "FILE:LINE: ..." for what isn't JSON, for a missing key, a matrix that doesn't fit the tokens, or
// "attention" that is no probability; and where a chosen line is past the end, or there is no
// sentence at all. A further matrix is "gradient", "integrated" or "erasure", or any key that has
// numbers in the shape of "attention". `matrix`: the key that holds the weights. Those of another
// than "attention" have signs and any size (`heed explain`): they come as shares, |value| divided
// by the sum of its row, or zero where that is zero.
std::vector<AttentionRecord> read_attention(const std::string& path, const LineSelection& lines,
                                            const std::string& matrix = "attention");

// The same for who shows every matrix: the weights are the first of the four that the sentence has,
// and all values are as they stand in the dump.
std::vector<AttentionRecord> read_matrices(const std::string& path, const LineSelection& lines);

// All sentences; an empty list where there are none.
std::vector<AttentionRecord> read_attention_or_none(const std::string& path);

}  // namespace heed
