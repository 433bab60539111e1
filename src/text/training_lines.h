// The lines of several files in turn, for training a vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"

namespace heed {

class TrainingLines {
 public:
  // `tsv_column` 1 or 2: gives only that side of lines with a tab; 0: the whole line.
  TrainingLines(std::vector<std::string> files, int tsv_column);

  // The next line; false after the last line of the last file. Throws UserError as LineReader does,
  // and for an empty file.
  bool next(std::string& line);

  // "a.en, b.de", for messages.
  std::string names() const;

 private:
  std::vector<std::string> files_;
  int tsv_column_;
  size_t file_ = 0;
  std::optional<LineReader> reader_;
};

}  // namespace heed
