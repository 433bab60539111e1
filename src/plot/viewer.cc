#include "plot/viewer.h"

#include <fmt/format.h>

#include "base/numbers.h"
#include "plot/curves.h"
#include "plot/html_page.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

Json axis_json(const Axis& axis) {
  Json ticks = Json::array();
  for (const Tick& tick : axis.ticks()) ticks.push_back({tick.value, tick.label});
  return {{"least", axis.least()},
          {"most", axis.most()},
          {"logarithmic", axis.logarithmic()},
          {"ticks", std::move(ticks)}};
}

Json curve_json(const Curve& curve) {
  Json points = Json::array();
  for (const Point& point : curve.points) {
    points.push_back(point.x);
    points.push_back(point.value);
  }
  const bool marked = curve.best != Curve::Best::none;
  return {{"name", curve.name},
          {"color", curve.color},
          {"best", marked ? &curve.best_point() - curve.points.data() : -1},
          {"points", std::move(points)}};
}

Json curves_json(RunAxis axis, const std::vector<Panel>& panels) {
  Json all = Json::array();
  for (const Panel& panel : panels) {
    Json curves = Json::array();
    for (const Curve& curve : panel.curves) curves.push_back(curve_json(curve));
    all.push_back({{"title", panel.title},
                   {"axis", axis_json(values_axis(panel))},
                   {"curves", std::move(curves)}});
  }
  return {{"across", axis_json(common_axis(panels))},
          {"across_title", axis_title(axis)},
          {"panels", std::move(all)}};
}

// As " · BLEU 36.5"; empty if the run has no such figure.
std::string figure_at(const ReportedRun& run, int64_t update, const char* panel, const char* name) {
  for (const Panel& each : run.by_update) {
    if (each.title != panel) continue;
    for (const Point& point : each.curves[0].points) {
      if (point.x == static_cast<double>(update))
        return fmt::format(" · {} {:.4g}", name, point.value);
    }
  }
  return "";
}

Json steps_json(const ReportedRun& run, RunAxis axis) {
  Json steps = Json::array();
  for (const int64_t update : run.samples.updates) {
    const std::string label =
        fmt::format("update {}{}{}", format_thousands(update),
                    figure_at(run, update, "Validation BLEU", "BLEU"),
                    figure_at(run, update, "Validation perplexity", "perplexity"));
    steps.push_back(
        {{"label", label}, {"at", axis == RunAxis::updates ? Json(update) : Json(nullptr)}});
  }
  return steps;
}

Json version_json(const std::optional<SampleVersion>& version) {
  if (!version) return nullptr;
  Json object = {{"text", version->translation}};
  if (version->attention) object["record"] = record_json(*version->attention);
  return object;
}

Json run_json(const ReportedRun& run, RunAxis axis) {
  Json items = Json::array();
  for (size_t i = 0; i < run.samples.sentences.size(); ++i) {
    const SampleSentence& sentence = run.samples.sentences[i];
    Json versions = Json::array();
    for (const auto& version : sentence.versions) versions.push_back(version_json(version));
    items.push_back({{"number", std::to_string(i + 1)},
                     {"source", sentence.source},
                     {"reference", sentence.reference},
                     {"versions", std::move(versions)}});
  }
  return {{"name", run.name}, {"steps", steps_json(run, axis)}, {"items", std::move(items)}};
}

}  // namespace

std::string render_viewer(const std::string& title, const std::vector<AttentionRecord>& records) {
  Json items = Json::array();
  std::vector<std::string> signed_names;
  for (const AttentionRecord& record : records) {
    add_signed_names(record, signed_names);
    const Json version = {{"record", record_json(record)}};
    items.push_back({{"number", std::to_string(record.id + 1)},
                     {"line", record.line},
                     {"versions", Json::array({version})}});
  }
  const Json run = {{"name", title}, {"steps", Json::array()}, {"items", std::move(items)}};
  return html_document({{"title", title},
                        {"subtitle", "attention, sentence by sentence"},
                        {"curves", nullptr},
                        {"signed", signed_names},
                        {"runs", Json::array({run})}});
}

std::string render_report(RunAxis axis, const std::vector<Panel>& panels,
                          const std::vector<ReportedRun>& runs) {
  std::string title;
  Json all = Json::array();
  std::vector<std::string> signed_names;
  for (const ReportedRun& run : runs) {
    title += (title.empty() ? "" : ", ") + run.name;
    if (run.samples.sentences.empty()) continue;
    all.push_back(run_json(run, axis));
    for (const SampleSentence& sentence : run.samples.sentences)
      for (const auto& version : sentence.versions)
        if (version && version->attention) add_signed_names(*version->attention, signed_names);
  }
  return html_document({{"title", title},
                        {"subtitle", "learning curves, and samples at each validation"},
                        {"curves", curves_json(axis, panels)},
                        {"signed", signed_names},
                        {"runs", std::move(all)}});
}

}  // namespace heed
