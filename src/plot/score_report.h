// Reading what heed evaluate --json prints into the charts that are worth seeing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plot/bars.h"

namespace heed {

// Whether a file looks like such a report: it begins with "[" or with a "{" alone on its line, or
// with a line that has "metric" or "report". Only files are looked into, as a pipe can be read
// once. Throws UserError as LineReader does.
bool is_score_report(const std::string& path);

// A chart of scores by length for each metric that has them, one of precision, recall and F1 of
// words by frequency, one of recall by position. Throws UserError "PATH: ..." for what isn't such
// JSON, and where there is nothing to draw.
std::vector<BarChart> read_score_report(const std::string& path);

// Reports beside each other, each a name and its charts: a chart for each title, a bar a report and
// group (F1 of words by frequency). Throws UserError where signatures differ in more than the
// version, since the figures then can't be compared.
std::vector<BarChart> compare_score_reports(
    const std::vector<std::pair<std::string, std::vector<BarChart>>>& reports);

}  // namespace heed
