// Reads the output of heed evaluate --json and makes charts from it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plot/bars.h"

namespace heed {

// Whether a file looks like such a report: it begins with "[" or with a line that is just "{", or
// its first line has "metric" or "report". Only regular files are examined, because a pipe can be
// read only once. Throws UserError as LineReader does.
bool is_score_report(const std::string& path);

// One chart of scores by length per metric that has them, one of precision, recall and F1 of words
// by frequency, and one of recall by position. Throws UserError "PATH: ..." for anything but such
// JSON, and if there is nothing to draw.
std::vector<BarChart> read_score_report(const std::string& path);

// Compares reports, each given by its name and charts: one chart per title, in each group one bar
// per report (of words by frequency, F1). Throws UserError if signatures differ in more than the
// version, because such figures are not comparable.
std::vector<BarChart> compare_score_reports(
    const std::vector<std::pair<std::string, std::vector<BarChart>>>& reports);

}  // namespace heed
