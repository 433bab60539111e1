// Checks of text files before they are scored.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct TextInput {
  std::string path;
  std::vector<std::string> lines;
};

// Reads all lines of a file. Throws UserError as LineReader does.
TextInput read_text(const std::string& path);

// Throws UserError "A has 1 line, B has 2; they must match" for the first input whose number of
// lines differs from that of inputs[0].
void check_line_counts(const std::vector<TextInput>& inputs);

// Warnings about text whose score would mislead, each with what to do: subword marks ("▁", "@@ "),
// and, if the tokenizer needs spaces, text without spaces in most lines.
std::vector<std::string> doubts_about(const TextInput& input, bool needs_spaces);

}  // namespace heed
