// Parallel text line by line, with checks that both sides stay in step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/files.h"
#include "config/config.h"

namespace heed {

// Reads two files, or one tsv with one tab per line. The lines it gives are valid UTF-8.
class LinePairs {
 public:
  explicit LinePairs(const TextFiles& files);

  // The next pair; false at the end. Throws UserError for an empty file, line counts that differ
  // (both are named) or a tsv line without exactly one tab. Warns of a file whose only line ends
  // are carriage returns.
  bool next(std::string& source, std::string& target);

  int64_t line_number() const { return first_.line_number(); }
  int64_t mended() const { return mended_; }  // lines, of both sides, with invalid UTF-8
  std::string names() const;                  // for messages

 private:
  void split_at_tab(std::string& source, std::string& target) const;
  void finish();

  LineReader first_;                  // the source, or the tsv
  std::optional<LineReader> second_;  // the target
  bool ended_ = false;
  int64_t mended_ = 0;
};

}  // namespace heed
