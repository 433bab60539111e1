#include "eval/inputs.h"

#include "base/error.h"
#include "base/files.h"

namespace heed {
namespace {

bool has_subword_mark(const std::string& line) {
  if (line.find("▁") != std::string::npos || line.find("@@ ") != std::string::npos) return true;
  return line.size() >= 2 && line.compare(line.size() - 2, 2, "@@") == 0;
}

}  // namespace

TextInput read_text(const std::string& path) {
  TextInput input{path, {}};
  LineReader reader(path);
  for (std::string line; reader.next(line);) input.lines.push_back(line);
  return input;
}

void check_line_counts(const std::vector<TextInput>& inputs) {
  for (const auto& input : inputs) {
    const size_t first = inputs[0].lines.size();
    if (input.lines.size() == first) continue;
    fail("{} has {} {}, {} has {}; they must match", inputs[0].path, first,
         first == 1 ? "line" : "lines", input.path, input.lines.size());
  }
}

std::vector<std::string> doubts_about(const TextInput& input, bool needs_spaces) {
  std::vector<std::string> doubts;
  size_t marked = 0;
  size_t without_space = 0;
  size_t not_empty = 0;
  for (const auto& line : input.lines) {
    if (line.empty()) continue;
    ++not_empty;
    if (has_subword_mark(line)) ++marked;
    if (line.find(' ') == std::string::npos) ++without_space;
  }
  if (marked > 0) {
    doubts.push_back(fmt::format(
        "{}: subword marks (▁ or @@) in {} of {} lines; join the pieces into words before scoring",
        input.path, marked, input.lines.size()));
  }
  if (needs_spaces && 2 * without_space > not_empty) {
    doubts.push_back(fmt::format(
        "{}: most lines have no space, so a line counts as one word; --tokenize char or zh suits "
        "text without spaces",
        input.path));
  }
  return doubts;
}

}  // namespace heed
