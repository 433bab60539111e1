#include "text/training_lines.h"

#include <fmt/format.h>

#include "base/error.h"

namespace heed {

TrainingLines::TrainingLines(std::vector<std::string> files, int tsv_column)
    : files_(std::move(files)), tsv_column_(tsv_column) {
  check(tsv_column >= 0 && tsv_column <= 2, "[TrainingLines] tsv_column must be 0, 1 or 2");
}

bool TrainingLines::next(std::string& line) {
  while (file_ < files_.size()) {
    if (!reader_) reader_.emplace(files_[file_]);
    if (reader_->next(line)) {
      const size_t tab = tsv_column_ == 0 ? std::string::npos : line.find('\t');
      if (tab != std::string::npos)
        line = tsv_column_ == 1 ? line.substr(0, tab) : line.substr(tab + 1);
      return true;
    }
    if (reader_->line_number() == 0) fail("{}: file is empty", files_[file_]);
    reader_.reset();
    ++file_;
  }
  return false;
}

std::string TrainingLines::names() const { return fmt::format("{}", fmt::join(files_, ", ")); }

}  // namespace heed
