#include "cli/help.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

namespace heed::cli {
namespace {

constexpr int kNarrowest = 40, kWidest = 100;
constexpr size_t kTextColumn = 22;  // where the texts of rows begin

// Appends the words of `text` to `out`, whose last line has `column` characters, and breaks lines
// so that none is longer than `width`. Lines begin with `indent` spaces.
void append_words(std::string& out, size_t column, const std::string& text, size_t indent,
                  size_t width) {
  std::istringstream words(text);
  bool is_first = true;
  for (std::string word; words >> word; is_first = false) {
    const size_t space = is_first ? 0 : 1;
    if (!is_first && column + space + word.size() > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (space > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  out += '\n';
}

}  // namespace

int help_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return kWidest;
  return size.ws_col == 0 ? kWidest : std::clamp<int>(size.ws_col, kNarrowest, kWidest);
}

std::string wrapped(const std::string& text, int width, int hanging) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    out.append(indent, ' ');
    append_words(out, indent, line, indent + static_cast<size_t>(hanging),
                 static_cast<size_t>(width));
  }
  return out;
}

std::string wrapped_rows(const std::vector<HelpRow>& rows, int width) {
  std::string out;
  for (const HelpRow& row : rows) {
    std::string left = "  " + row.option + "  ";
    left.resize(std::max(left.size(), kTextColumn), ' ');
    out += left;
    append_words(out, left.size(), row.text, kTextColumn, static_cast<size_t>(width));
  }
  return out;
}

}  // namespace heed::cli
