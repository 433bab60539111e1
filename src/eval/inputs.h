// What to look at in the text files before they are scored.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct TextInput {
  std::string path;
  std::vector<std::string> lines;
};

// All lines of a file. Throws UserError as LineReader does.
TextInput read_text(const std::string& path);

// Throws UserError "A has 1 line, B has 2; they must match" for the first input that differs from
// the first.
void check_line_counts(const std::vector<TextInput>& inputs);

// Signs that a figure on this text would mislead, each a sentence that says what to do:
// subword marks left in ("▁", "@@ "), and, if words are found by spaces, text that has none in most
// lines.
std::vector<std::string> doubts_about(const TextInput& input, bool needs_spaces);

}  // namespace heed
