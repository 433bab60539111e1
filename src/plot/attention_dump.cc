#include "plot/attention_dump.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/numbers.h"
#include "plot/json_input.h"

namespace heed {
namespace {

using Json = nlohmann::json;

std::vector<std::string> tokens_at(const Json& object, const char* key, const std::string& where) {
  const Json& value = value_at(object, key, where);
  const bool texts = value.is_array() && std::all_of(value.begin(), value.end(),
                                                     [](const Json& t) { return t.is_string(); });
  if (!texts) fail("{}: \"{}\" is not a list of tokens", where, key);
  return value.get<std::vector<std::string>>();
}

// Keys that must hold a matrix if they are present.
constexpr std::string_view kMatrices[] = {"attention", "gradient", "integrated", "erasure"};

constexpr double kMostProbability = 1.0001;  // allows for rounding

std::vector<double> row_of(const Json& row, const std::string& name, size_t number, size_t columns,
                           const std::string& where) {
  if (!row.is_array() || row.size() != columns) {
    fail("{}: weights in row {} of \"{}\": {}, tokens of \"source\": {}; they must match", where,
         number, name, row.is_array() ? row.size() : 0, columns);
  }
  std::vector<double> weights;
  for (const Json& weight : row) {
    if (!weight.is_number() || !std::isfinite(weight.get<double>())) {
      fail("{}: row {} of \"{}\" has '{}', which is not a number", where, number, name,
           weight.dump());
    }
    weights.push_back(weight.get<double>());
    if (name == kMatrices[0] && (weights.back() < 0 || weights.back() > kMostProbability))
      fail("{}: row {} of \"{}\" has '{}', which is not a probability", where, number, name,
           weight.dump());
  }
  return weights;
}

std::vector<std::vector<double>> matrix_of(const Json& matrix, const std::string& name,
                                           const AttentionRecord& record,
                                           const std::string& where) {
  if (!matrix.is_array() || matrix.size() != record.target.size()) {
    fail("{}: rows of \"{}\": {}, tokens of \"target\": {}; they must match", where, name,
         matrix.is_array() ? matrix.size() : 0, record.target.size());
  }
  std::vector<std::vector<double>> rows;
  for (const Json& row : matrix)
    rows.push_back(row_of(row, name, rows.size() + 1, record.source.size(), where));
  return rows;
}

// Whether a key unknown to heed holds a matrix in the shape of this sentence.
bool is_matrix(const Json& value, const AttentionRecord& record) {
  if (!value.is_array() || value.size() != record.target.size()) return false;
  return std::all_of(value.begin(), value.end(), [&record](const Json& row) {
    const auto is_finite = [](const Json& weight) {
      return weight.is_number() && std::isfinite(weight.get<double>());
    };
    return row.is_array() && row.size() == record.source.size() &&
           std::all_of(row.begin(), row.end(), is_finite);
  });
}

void make_shares(std::vector<double>& row) {
  double sum = 0;
  for (const double value : row) sum += std::abs(value);
  for (double& value : row) value = sum == 0 ? 0 : std::abs(value) / sum;
}

void add_other_matrices(const Json& object, AttentionRecord& record, const std::string& where) {
  for (const auto& item : object.items()) {
    const std::string& name = item.key();
    if (name == record.matrix || name == "source" || name == "target") continue;
    const bool known =
        std::find(std::begin(kMatrices), std::end(kMatrices), name) != std::end(kMatrices);
    if (known || is_matrix(item.value(), record))
      record.others.push_back({name, matrix_of(item.value(), name, record, where)});
  }
}

std::string links_at(const Json& object, const AttentionRecord& record, const std::string& where) {
  const Json& value = object["links"];
  if (!value.is_string()) fail("{}: \"links\" is not text like \"0-0 2-1\"", where);
  const auto text = value.get<std::string>();
  std::istringstream parts(text);
  std::string checked;
  for (std::string part; parts >> part;) {
    const size_t dash = std::min(part.find('-'), part.size());
    const auto source = parse_int(part.substr(0, dash));
    const auto target = parse_int(part.substr(std::min(dash + 1, part.size())));
    const auto inside = [](const std::optional<int64_t>& index, size_t size) {
      return index && *index >= 0 && *index < static_cast<int64_t>(size);
    };
    if (!inside(source, record.source.size()) || !inside(target, record.target.size()))
      fail("{}: \"links\" has '{}', which is not a link between its tokens", where, part);
    checked += (checked.empty() ? "" : " ") + fmt::format("{}-{}", *source, *target);
  }
  return checked;
}

// The first known matrix of the sentence; "attention" if it has none.
std::string first_matrix(const Json& object) {
  const auto* first = std::find_if(std::begin(kMatrices), std::end(kMatrices),
                                   [&](std::string_view name) { return object.contains(name); });
  return std::string(first == std::end(kMatrices) ? kMatrices[0] : *first);
}

// `matrix`: the matrix to read as shares; nullopt: the first one, with its values as they are.
AttentionRecord parse_record(const std::string& text, int64_t line,
                             const std::optional<std::string>& matrix, const std::string& where) {
  const Json object = parse_json_object(text, where);
  AttentionRecord record;
  record.line = line;
  record.id = line - 1;
  record.matrix = matrix ? *matrix : first_matrix(object);
  const Json& weights = value_at(object, record.matrix.c_str(), where);
  record.source = tokens_at(object, "source", where);
  record.target = tokens_at(object, "target", where);
  if (record.source.empty() != record.target.empty())
    fail("{}: \"{}\" has no tokens", where, record.source.empty() ? "source" : "target");
  record.weights = matrix_of(weights, record.matrix, record, where);
  if (matrix && *matrix != "attention")
    std::for_each(record.weights.begin(), record.weights.end(), make_shares);
  if (record.source.empty()) return record;
  add_other_matrices(object, record, where);
  if (object.contains("links")) record.links = links_at(object, record, where);
  if (object.contains("id") && object["id"].is_number_integer()) record.id = object["id"];
  if (object.contains("score") && object["score"].is_number()) record.score = object["score"];
  return record;
}

}  // namespace

LineSelection::LineSelection(const std::string& text) {
  for (size_t begin = 0; !text.empty() && begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const size_t dash = part.find('-');
    const auto first = parse_int(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_int(part.substr(dash + 1));
    if (!first || !last || *first < 1 || *last < *first)
      fail("--lines {}: '{}' is not a line or range of lines; write for example 1,4-7", text, part);
    ranges_.push_back({*first, *last});
    begin = end + 1;
  }
}

bool LineSelection::contains(int64_t line) const {
  return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(), [line](const Range& range) {
           return range.first <= line && line <= range.last;
         });
}

int64_t LineSelection::last() const {
  int64_t last = 0;
  for (const Range& range : ranges_) last = std::max(last, range.last);
  return last;
}

namespace {

std::vector<AttentionRecord> read_records(const std::string& path, const LineSelection& lines,
                                          const std::optional<std::string>& matrix) {
  std::vector<AttentionRecord> records;
  LineReader reader(path);
  std::string text;
  while ((lines.last() == 0 || reader.line_number() < lines.last()) && reader.next(text)) {
    const int64_t line = reader.line_number();
    if (text.empty() || !lines.contains(line)) continue;
    AttentionRecord record = parse_record(text, line, matrix, fmt::format("{}:{}", path, line));
    if (!record.source.empty()) records.push_back(std::move(record));
  }
  if (lines.last() > reader.line_number()) {
    fail("--lines: line {} was requested, but the last line of {} is {}", lines.last(), path,
         reader.line_number());
  }
  return records;
}

std::vector<AttentionRecord> not_empty(std::vector<AttentionRecord> records,
                                       const std::string& path) {
  if (records.empty()) fail("{} has no sentence to draw", path);
  return records;
}

}  // namespace

std::vector<AttentionRecord> read_attention(const std::string& path, const LineSelection& lines,
                                            const std::string& matrix) {
  return not_empty(read_records(path, lines, matrix), path);
}

std::vector<AttentionRecord> read_matrices(const std::string& path, const LineSelection& lines) {
  return not_empty(read_records(path, lines, std::nullopt), path);
}

std::vector<AttentionRecord> read_attention_or_none(const std::string& path) {
  return read_records(path, LineSelection(""), "attention");
}

}  // namespace heed
