#include "plot/html_page.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/base64.h"
#include "base/error.h"
#include "plot/html_file.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;
using Weights = std::vector<std::vector<double>>;

constexpr double kSteps = 32767;

double largest(const Weights& weights) {
  double most = 0;
  for (const auto& row : weights)
    for (const double weight : row) most = std::max(most, std::abs(weight));
  return most;
}

// Shares, such as attention, have the scale 1, so that equal weights are equal steps
// in all sentences.
double scale_of(const Weights& weights) {
  constexpr double kSmall = 0.01;  // smaller scales would make the steps too coarse
  const double most = largest(weights);
  return most == 0 || (most > kSmall && most <= 1) ? 1.0 : most;
}

Json packed(const Weights& weights) {
  const double scale = scale_of(weights);
  std::string bytes;
  for (const auto& row : weights) {
    for (const double weight : row) {
      const auto step = static_cast<unsigned>(std::lround(weight / scale * kSteps));
      bytes += static_cast<char>(step & 0xFF);
      bytes += static_cast<char>(step >> 8 & 0xFF);
    }
  }
  return Json::array({scale, base64_encode(bytes)});
}

// Appends the template up to the mark; returns the text after it.
std::string_view take_until(std::string_view page, std::string_view mark, std::string& document) {
  const size_t at = page.find(mark);
  check(at != std::string_view::npos, "[html_document] the page must have {}", mark);
  document += page.substr(0, at);
  return page.substr(at + mark.size());
}

}  // namespace

std::string script_json(const Json& value) {
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view three = std::string_view(text).substr(i, 3);
    if (text[i] == '<') {
      safe += "\\u003c";
    } else if (text[i] == '>') {
      safe += "\\u003e";
    } else if (text[i] == '&') {
      safe += "\\u0026";
    } else if (three == "\xe2\x80\xa8" || three == "\xe2\x80\xa9") {
      safe += three.back() == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      safe += text[i];
    }
  }
  return safe;
}

// The scripts are joined in this order: what a file uses while it is loaded must come before it.
constexpr const char* kScripts[] = {"dom.js",    "data.js",  "colors.js", "list.js",
                                    "matrix.js", "links.js", "curves.js", "app.js"};

std::string html_document(const Json& data) {
  std::string document;
  std::string_view rest = take_until(html_file("page.html"), "@STYLE@", document);
  document += html_file("page.css");
  rest = take_until(rest, "@DATA@", document);
  document += script_json(data);
  rest = take_until(rest, "@SCRIPT@", document);
  for (const char* script : kScripts) document += html_file(script);
  document += rest;
  return document;
}

Json record_json(const AttentionRecord& record) {
  Json matrices = {{record.matrix, packed(record.weights)}};
  for (const NamedWeights& other : record.others) matrices[other.name] = packed(other.weights);
  Json object = {{"s", record.source}, {"t", record.target}, {"m", std::move(matrices)}};
  if (record.links) object["links"] = *record.links;
  if (record.score) object["score"] = *record.score;
  return object;
}

void add_signed_names(const AttentionRecord& record, std::vector<std::string>& names) {
  const auto note = [&names](const std::string& name, const Weights& weights) {
    const auto has_negative = [](const std::vector<double>& row) {
      return std::any_of(row.begin(), row.end(), [](double weight) { return weight < 0; });
    };
    if (std::find(names.begin(), names.end(), name) == names.end() &&
        std::any_of(weights.begin(), weights.end(), has_negative))
      names.push_back(name);
  };
  note(record.matrix, record.weights);
  for (const NamedWeights& other : record.others) note(other.name, other.weights);
}

}  // namespace heed
