// The layout of help texts.
#pragma once

#include <string>
#include <vector>

namespace heed::cli {

// One option and what it does: {"--beam N", "beam size; 1: greedy"}.
struct HelpRow {
  std::string option, text;
};

// The width of help texts: that of the terminal on standard output, limited to 40 to 100 columns;
// 100 if standard output is not a terminal.
int help_width();

// Wraps each line of `text`. Its continuation lines have the same indentation plus `hanging`.
std::string wrapped(const std::string& text, int width, int hanging = 0);

// One row after the other, options on the left and texts, wrapped, on the right.
std::string wrapped_rows(const std::vector<HelpRow>& rows, int width);

}  // namespace heed::cli
