#include "plot/score_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/numbers.h"
#include "plot/json_input.h"

namespace heed {
namespace {

using Json = nlohmann::json;

std::string text_at(const Json& object, const char* key, const std::string& where) {
  const Json& value = value_at(object, key, where);
  if (!value.is_string()) fail("{}: \"{}\" is not text", where, key);
  return value.get<std::string>();
}

// The number; nullopt if it is null.
std::optional<double> number_at(const Json& object, const char* key, const std::string& where) {
  const Json& value = value_at(object, key, where);
  if (value.is_null()) return std::nullopt;
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
    fail("{}: \"{}\" is '{}', which is not a number of at least 0", where, key, value.dump());
  return value.get<double>();
}

// The place of a chart's figures in the JSON.
struct Source {
  const char* list;   // the key of the groups
  const char* label;  // in a group
  const char* count;  // in a group
  std::vector<const char*> values;
};

void read_groups(const Json& object, const Source& source, const std::string& where,
                 BarChart& chart) {
  const Json& groups = value_at(object, source.list, where);
  if (!groups.is_array()) fail("{}: \"{}\" is not a list", where, source.list);
  for (const Json& entry : groups) {
    if (!entry.is_object())
      fail("{}: \"{}\" has '{}', which is not an object", where, source.list, entry.dump());
    BarGroup group;
    group.label = text_at(entry, source.label, where);
    group.count = std::llround(number_at(entry, source.count, where).value_or(0));
    for (const char* key : source.values) group.values.push_back(number_at(entry, key, where));
    chart.groups.push_back(group);
  }
}

BarChart chart_by_length(const Json& object, const std::string& where) {
  const std::string metric = text_at(object, "metric", where);
  BarChart chart;
  chart.title = metric + " by length";
  chart.signature = text_at(object, "by_length_signature", where);
  chart.across = "tokens of the " + text_at(object, "by_length_of", where);
  chart.counted = "sentences";
  chart.series = {metric};
  read_groups(object, {"by_length", "length", "sentences", {"score"}}, where, chart);
  return chart;
}

BarChart chart_by_frequency(const Json& object, const std::string& where) {
  BarChart chart;
  chart.title = "Words by frequency";
  chart.signature = text_at(object, "signature", where);
  chart.across = "occurrences in the training text";
  chart.counted = "words of the reference";
  chart.series = {"precision", "recall", "F1"};
  read_groups(object, {"bands", "frequency", "reference_words", {"precision", "recall", "f1"}},
              where, chart);
  return chart;
}

BarChart chart_by_position(const Json& object, const std::string& where) {
  BarChart chart;
  chart.title = "Words found by position";
  chart.signature = text_at(object, "signature", where);
  chart.across = "place in the reference";
  chart.counted = "its words there";
  chart.series = {"recall"};
  read_groups(object, {"parts", "position", "reference_words", {"recall"}}, where, chart);
  return chart;
}

void add_chart(const Json& object, const std::string& where, std::vector<BarChart>& charts) {
  if (!object.is_object()) fail("{}: not a report of heed evaluate --json", where);
  if (object.contains("by_length")) charts.push_back(chart_by_length(object, where));
  if (!object.contains("report")) return;
  const std::string report = text_at(object, "report", where);
  if (report == "by_frequency") charts.push_back(chart_by_frequency(object, where));
  if (report == "by_position") charts.push_back(chart_by_position(object, where));
}

std::string without_version(const std::string& signature) {
  return signature.substr(0, signature.find("|version:"));
}

// The number that a label begins with, by which groups are sorted.
int64_t first_number(const std::string& label) {
  const size_t end = std::min(label.find_first_not_of("0123456789"), label.size());
  return parse_int(label.substr(0, end)).value_or(0);
}

// The group of the chart with the same label, which is added if it is missing.
BarGroup& group_of(BarChart& chart, const BarGroup& like) {
  const auto found = std::find_if(chart.groups.begin(), chart.groups.end(),
                                  [&](const BarGroup& g) { return g.label == like.label; });
  if (found != chart.groups.end()) return *found;
  const int64_t number = first_number(like.label);
  const auto behind =
      std::find_if(chart.groups.begin(), chart.groups.end(),
                   [number](const BarGroup& g) { return first_number(g.label) > number; });
  BarGroup group{like.label, like.count, {}};
  group.values.resize(chart.series.size());
  return *chart.groups.insert(behind, group);
}

// Finds the chart that compares this one with those of other reports. Of several series the last is
// used, as F1 summarises precision and recall.
BarChart& chart_with(std::vector<BarChart>& charts, const BarChart& like,
                     const std::vector<std::string>& names) {
  const bool several = like.series.size() > 1;
  const std::string title = several ? like.title + ": " + like.series.back() : like.title;
  const auto found = std::find_if(charts.begin(), charts.end(),
                                  [&](const BarChart& chart) { return chart.title == title; });
  if (found != charts.end()) return *found;
  charts.push_back({title, like.signature, like.across, like.counted, names, {}});
  return charts.back();
}

}  // namespace

bool is_score_report(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  LineReader reader(path);
  std::string line;
  while (reader.next(line) && line.find_first_not_of(" \t") == std::string::npos) {
  }
  const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::string text = line.substr(begin);
  if (text.starts_with('[') || text == "{") return true;
  const Json object = Json::parse(text, nullptr, false);
  return object.is_object() && (object.contains("metric") || object.contains("report"));
}

std::vector<BarChart> read_score_report(const std::string& path) {
  Json json;
  try {
    json = Json::parse(read_file(path));
  } catch (const Json::exception&) {
    fail("{}: not JSON; is the file cut or of another kind?", path);
  }
  if (!json.is_array()) json = Json::array({json});
  std::vector<BarChart> charts;
  for (const Json& object : json) add_chart(object, path, charts);
  if (charts.empty())
    fail(
        "{} has nothing to draw: it needs heed evaluate --by-length, --by-frequency or "
        "--by-position",
        path);
  return charts;
}

std::vector<BarChart> compare_score_reports(
    const std::vector<std::pair<std::string, std::vector<BarChart>>>& reports) {
  std::vector<BarChart> together;
  std::vector<std::string> names;
  for (const auto& [name, charts] : reports) names.push_back(name);
  for (size_t r = 0; r < reports.size(); ++r) {
    for (const BarChart& chart : reports[r].second) {
      BarChart& same = chart_with(together, chart, names);
      if (without_version(same.signature) != without_version(chart.signature))
        fail(
            "{} of {} has the signature {}, others {}: only figures with the same settings "
            "can be compared",
            chart.title, names[r], chart.signature, same.signature);
      for (const BarGroup& group : chart.groups)
        group_of(same, group).values[r] = group.values.back();
    }
  }
  return together;
}

}  // namespace heed
