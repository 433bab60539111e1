#include "text/line_pairs.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "base/error.h"
#include "text/mend.h"

namespace heed {
namespace {

void check_line_ends(const LineReader& reader) {
  if (reader.line_number() == 1 && reader.lone_carriage_returns() > 1)
    spdlog::warn("{}: no line feed found, {} carriage returns: old Mac line ends?", reader.path(),
                 reader.lone_carriage_returns());
}

int64_t count_lines(LineReader& reader) {
  for (std::string line; reader.next(line);) {
  }
  return reader.line_number();
}

}  // namespace

LinePairs::LinePairs(const TextFiles& files)
    : first_(files.tsv.empty() ? files.source : files.tsv) {
  if (files.tsv.empty() && files.source == "-" && files.target == "-")
    fail("source and target are both '-', standard input: give one of them as a file");
  if (files.tsv.empty()) second_.emplace(files.target);
}

bool LinePairs::next(std::string& source, std::string& target) {
  if (ended_) return false;
  const bool has_source = first_.next(source);
  const bool has_target = second_ ? second_->next(target) : has_source;
  if (has_source && !second_) split_at_tab(source, target);
  if (!has_source || !has_target) {
    ended_ = true;
    finish();
    return false;
  }
  mended_ += mend_line(source);
  mended_ += mend_line(target);
  return true;
}

void LinePairs::split_at_tab(std::string& source, std::string& target) const {
  const auto tabs = std::count(source.begin(), source.end(), '\t');
  if (tabs != 1)
    fail("{}:{}: needs exactly one tab between source and target, has {}", first_.path(),
         first_.line_number(), tabs);
  const size_t tab = source.find('\t');
  target = source.substr(tab + 1);
  source.resize(tab);
}

// Call it at the end of one side: throws unless the other is at its end too.
void LinePairs::finish() {
  const int64_t sources = count_lines(first_);
  const int64_t targets = second_ ? count_lines(*second_) : sources;
  if (sources == 0) fail("{}: file is empty", first_.path());
  if (targets == 0) fail("{}: file is empty", second_->path());
  check_line_ends(first_);
  if (second_) check_line_ends(*second_);
  if (sources != targets)
    fail("{} has {} lines, {} has {}; they must match", first_.path(), sources, second_->path(),
         targets);
}

std::string LinePairs::names() const {
  return second_ ? first_.path() + " and " + second_->path() : first_.path();
}

}  // namespace heed
