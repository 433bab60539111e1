#include "plot/run_log.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "plot/json_line.h"

namespace heed {
namespace {

struct Source {
  const char* panel;
  const char* curve;
  const char* type;
  const char* key;
  Curve::Best best;
  bool from_zero;
};

// What is drawn: a further figure is one more row. Rows of one panel stand together.
constexpr Source kSources[] = {
    {"Cross-entropy per target token", "training (with dropout)", "train", "cross_entropy",
     Curve::Best::kNone, false},
    {"Cross-entropy per target token", "validation", "valid", "cross_entropy", Curve::Best::kLowest,
     false},
    {"Validation BLEU", "BLEU", "valid", "bleu", Curve::Best::kHighest, true},
    {"Validation perplexity", "perplexity", "valid", "perplexity", Curve::Best::kLowest, false},
    {"Learning rate", "learning rate", "train", "learning_rate", Curve::Best::kNone, true},
};

void add_point(Curve& curve, const Point& point) {
  while (!curve.points.empty() && curve.points.back().update >= point.update) {
    curve.points.pop_back();
  }
  curve.points.push_back(point);
}

void add_report(std::vector<Curve>& curves, const nlohmann::json& report) {
  const auto number = [&report](const char* key) {
    const auto found = report.find(key);
    return found != report.end() && found->is_number() ? found->get<double>() : std::nan("");
  };
  const double update = number("update");
  if (!std::isfinite(update)) return;
  for (size_t k = 0; k < std::size(kSources); ++k) {
    const double value = number(kSources[k].key);
    const bool of_type = report.contains("type") && report["type"] == kSources[k].type;
    if (of_type && std::isfinite(value)) add_point(curves[k], {update, value});
  }
}

}  // namespace

const Point& Curve::best_point() const {
  const auto less = [](const Point& a, const Point& b) { return a.value < b.value; };
  return best == Best::kHighest ? *std::max_element(points.begin(), points.end(), less)
                                : *std::min_element(points.begin(), points.end(), less);
}

std::vector<Panel> read_run_log(const std::string& path) {
  std::vector<Curve> curves;
  for (const Source& source : kSources) curves.push_back({source.curve, {}, source.best});
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    if (line.empty()) continue;
    add_report(curves, parse_json_line(line, fmt::format("{}:{}", path, reader.line_number())));
  }
  std::vector<Panel> panels;
  for (size_t k = 0; k < curves.size(); ++k) {
    if (curves[k].points.empty()) continue;
    if (panels.empty() || panels.back().title != kSources[k].panel) {
      panels.push_back({kSources[k].panel, kSources[k].from_zero, {}});
    }
    panels.back().curves.push_back(curves[k]);
  }
  if (panels.empty()) fail("{} has no report of training or validation to draw yet", path);
  return panels;
}

}  // namespace heed
