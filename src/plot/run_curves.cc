#include "plot/run_curves.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "plot/json_input.h"

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

// What is drawn. A new figure is one more row; the rows of a panel are consecutive.
constexpr Source kSources[] = {
    {"Cross-entropy per target token", "training (with dropout)", "train", "cross_entropy",
     Curve::Best::none, false},
    {"Cross-entropy per target token", "validation", "valid", "cross_entropy", Curve::Best::lowest,
     false},
    {"Validation BLEU", "BLEU", "valid", "bleu", Curve::Best::highest, true},
    {"Validation perplexity", "perplexity", "valid", "perplexity", Curve::Best::lowest, false},
    {"Learning rate", "learning rate", "train", "learning_rate", Curve::Best::none, true},
    {"Gradient norm", "gradient norm", "train", "gradient_norm", Curve::Best::none, false},
    {"Target tokens per second", "target tokens per second", "train", "tokens_per_second",
     Curve::Best::none, true},
};

// Keys of a report that are used but not drawn.
constexpr const char* kOtherFigures[] = {"update", "minutes", "loss"};

void check_figure(const nlohmann::json& report, const char* key, const std::string& where) {
  const auto found = report.find(key);
  if (found == report.end() || found->is_null() || found->is_number()) return;
  fail("{}: \"{}\" is '{}', which is not a number", where, key, found->dump());
}

void check_figures(const nlohmann::json& report, const std::string& where) {
  for (const char* key : kOtherFigures) check_figure(report, key, where);
  for (const Source& source : kSources) check_figure(report, source.key, where);
}

void add_point(Curve& curve, const Point& point) {
  while (!curve.points.empty() && curve.points.back().x >= point.x) {
    curve.points.pop_back();
  }
  curve.points.push_back(point);
}

void add_report(std::vector<Curve>& curves, const nlohmann::json& report, RunAxis axis) {
  const auto number = [&report](const char* key) {
    const auto found = report.find(key);
    return found != report.end() && found->is_number() ? found->get<double>() : std::nan("");
  };
  const double x = number(axis == RunAxis::minutes ? "minutes" : "update");
  if (!std::isfinite(x)) return;
  for (size_t k = 0; k < std::size(kSources); ++k) {
    const double value = number(kSources[k].key);
    const bool of_type = report.contains("type") && report["type"] == kSources[k].type;
    if (of_type && std::isfinite(value)) add_point(curves[k], {x, value});
  }
}

// The curves of one measure over all runs that have it, each with the run's name and colour.
std::vector<Curve> curves_of_runs(
    const std::vector<std::pair<std::string, std::vector<Panel>>>& runs, const std::string& title,
    const std::string& name) {
  std::vector<Curve> all;
  for (size_t run = 0; run < runs.size(); ++run) {
    for (const Panel& panel : runs[run].second) {
      if (panel.title != title) continue;
      for (const Curve& curve : panel.curves) {
        if (curve.name != name) continue;
        all.push_back(curve);
        all.back().name = runs[run].first;
        all.back().color = run;
      }
    }
  }
  return all;
}

}  // namespace

const Point& Curve::best_point() const {
  const auto less = [](const Point& a, const Point& b) { return a.value < b.value; };
  return best == Best::highest ? *std::max_element(points.begin(), points.end(), less)
                               : *std::min_element(points.begin(), points.end(), less);
}

std::vector<Panel> read_run_log(const std::string& path, RunAxis axis) {
  std::vector<Curve> curves;
  for (const Source& source : kSources) curves.push_back({source.curve, {}, source.best, 0});
  LineReader reader(path);
  bool reports = false;
  for (std::string line; reader.next(line);) {
    if (line.empty()) continue;
    const std::string where = fmt::format("{}:{}", path, reader.line_number());
    const auto report = parse_json_object(line, where);
    check_figures(report, where);
    reports = reports || report.contains("update");
    add_report(curves, report, axis);
  }
  std::vector<Panel> panels;
  for (size_t k = 0; k < curves.size(); ++k) {
    if (curves[k].points.empty()) continue;
    if (panels.empty() || panels.back().title != kSources[k].panel)
      panels.push_back({kSources[k].panel, kSources[k].from_zero, {}});
    panels.back().curves.push_back(curves[k]);
    panels.back().curves.back().color = panels.back().curves.size() - 1;
  }
  if (panels.empty() && reports && axis == RunAxis::minutes)
    fail("{} has no minutes: use --against updates", path);
  if (panels.empty()) fail("{} has no report of training or validation to draw yet", path);
  return panels;
}

std::vector<Panel> compare_runs(
    const std::vector<std::pair<std::string, std::vector<Panel>>>& runs) {
  std::vector<Panel> together;
  for (const Source& source : kSources) {
    const auto same = [&source](const Panel& panel) { return panel.title == source.panel; };
    if (std::any_of(together.begin(), together.end(), same)) continue;
    Panel panel{source.panel, source.from_zero, {}};
    // The last row of a panel for which any run has data.
    for (const Source& measure : kSources) {
      if (panel.title != measure.panel) continue;
      auto curves = curves_of_runs(runs, measure.panel, measure.curve);
      if (!curves.empty()) panel.curves = std::move(curves);
    }
    if (!panel.curves.empty()) together.push_back(std::move(panel));
  }
  return together;
}

}  // namespace heed
