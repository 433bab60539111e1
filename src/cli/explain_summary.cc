#include "cli/explain_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/numbers.h"

namespace heed::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Method> methods_of(const ExplainOptions& options) {
  std::vector<Method> methods;
  for (size_t i = 0; i < kMethods; ++i)
    if (options.methods[static_cast<Method>(i)]) methods.push_back(static_cast<Method>(i));
  return methods;
}

std::optional<size_t> place_of_erasure(const std::vector<Method>& methods) {
  const auto place = std::find(methods.begin(), methods.end(), Method::erasure);
  if (place == methods.end()) return std::nullopt;
  return static_cast<size_t>(place - methods.begin());
}

std::string figure(const std::optional<double>& value, double factor, int decimals) {
  return value ? format_fixed(*value * factor, decimals) : "-";
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

ExplainSummary::ExplainSummary(const ExplainOptions& options)
    : options_(options),
      methods_(methods_of(options)),
      agreement_(methods_.size(), place_of_erasure(methods_)) {}

void ExplainSummary::add(const Explanation& explanation) {
  ++pairs_;
  if (explanation.source.empty()) return;
  std::vector<Matrix> matrices;
  for (const Method method : methods_) matrices.push_back(explanation.matrix[method]);
  agreement_.add(matrices, explanation.source.size() - 1);
  const auto& completeness = explanation.completeness;
  if (!completeness || completeness->gain == 0) return;
  incompleteness_ +=
      std::abs(completeness->sum - completeness->gain) / std::abs(completeness->gain);
  ++complete_pairs_;
}

std::optional<double> ExplainSummary::incompleteness() const {
  if (complete_pairs_ == 0) return std::nullopt;
  return incompleteness_ / static_cast<double>(complete_pairs_);
}

std::string ExplainSummary::table() const {
  std::string text =
      fmt::format("{:<28}{:>8}{:>9}{:>11}", "rank correlation", "tau-b", "rows", "sentences");
  for (const auto& c : agreement_.correlations())
    text += fmt::format("\n{:<28}{:>8}{:>9}{:>11}",
                        fmt::format("{} - {}", name(c.first), name(c.second)),
                        figure(c.mean(), 1, 4), c.rows, c.sentences);
  if (const auto missed = incompleteness())
    text += fmt::format("\n\nintegrated gradients miss log p less the baseline's by {} %",
                        format_fixed(*missed * 100, 2));
  if (agreement_.same_tops().empty()) return text;
  text += fmt::format("\n\n{:<28}{:>8}{:>9}", "top source as by erasure", "%", "rows");
  for (const auto& s : agreement_.same_tops())
    text += fmt::format("\n{:<28}{:>8}{:>9}", name(s.method), figure(s.share(), 100, 1), s.rows);
  return text;
}

std::string ExplainSummary::json() const {
  Json correlations = Json::array(), tops = Json::array(), methods = Json::array();
  for (const Method method : methods_) methods.push_back(method_name(method));
  for (const auto& c : agreement_.correlations())
    correlations.push_back({{"methods", Json::array({name(c.first), name(c.second)})},
                            {"tau_b", json_of(c.mean())},
                            {"rows", c.rows},
                            {"sentences", c.sentences}});
  for (const auto& s : agreement_.same_tops())
    tops.push_back({{"method", name(s.method)},
                    {"share", json_of(s.share())},
                    {"same", s.same},
                    {"rows", s.rows}});
  return Json({{"pairs", pairs_},
               {"methods", std::move(methods)},
               {"words", options_.words},
               {"steps", options_.steps},
               {"integrated_error", json_of(incompleteness())},
               {"erase", options_.erase == Erase::remove ? "remove" : "zero"},
               {"rank_correlation", std::move(correlations)},
               {"top_as_by_erasure", std::move(tops)}})
      .dump(2);
}

}  // namespace heed::cli
