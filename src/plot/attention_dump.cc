#include "plot/attention_dump.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "base/numbers.h"
#include "plot/json_line.h"

namespace heed {
namespace {

using Json = nlohmann::json;

std::vector<std::string> tokens_at(const Json& object, const char* key, const std::string& where) {
  const Json& value = value_at(object, key, where);
  const bool texts = value.is_array() && std::all_of(value.begin(), value.end(),
                                                     [](const Json& t) { return t.is_string(); });
  if (!texts) fail("{}: \"{}\" is no list of tokens", where, key);
  return value.get<std::vector<std::string>>();
}

std::vector<double> row_of(const Json& row, size_t number, size_t columns,
                           const std::string& where) {
  if (!row.is_array() || row.size() != columns) {
    fail("{}: weights in row {} of \"attention\": {}, tokens of \"source\": {}; they must match",
         where, number, row.is_array() ? row.size() : 0, columns);
  }
  std::vector<double> weights;
  for (const Json& weight : row) {
    if (!weight.is_number() || !std::isfinite(weight.get<double>())) {
      fail("{}: row {} of \"attention\" has '{}', which is no number", where, number,
           weight.dump());
    }
    weights.push_back(weight.get<double>());
  }
  return weights;
}

AttentionRecord parse_record(const std::string& text, int64_t line, const std::string& where) {
  const Json object = parse_json_line(text, where);
  AttentionRecord record;
  record.line = line;
  record.id = line - 1;
  const Json& matrix = value_at(object, "attention", where);
  record.source = tokens_at(object, "source", where);
  record.target = tokens_at(object, "target", where);
  if (record.source.empty() != record.target.empty()) {
    fail("{}: \"{}\" has no token", where, record.source.empty() ? "source" : "target");
  }
  if (!matrix.is_array() || matrix.size() != record.target.size()) {
    fail("{}: rows of \"attention\": {}, tokens of \"target\": {}; they must match", where,
         matrix.is_array() ? matrix.size() : 0, record.target.size());
  }
  for (const Json& row : matrix) {
    record.weights.push_back(row_of(row, record.weights.size() + 1, record.source.size(), where));
  }
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
    if (!first || !last || *first < 1 || *last < *first) {
      fail("--lines {}: '{}' is no line or range of lines; write for example 1,4-7", text, part);
    }
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

std::vector<AttentionRecord> read_attention(const std::string& path, const LineSelection& lines) {
  std::vector<AttentionRecord> records;
  LineReader reader(path);
  std::string text;
  while ((lines.last() == 0 || reader.line_number() < lines.last()) && reader.next(text)) {
    const int64_t line = reader.line_number();
    if (text.empty() || !lines.contains(line)) continue;
    AttentionRecord record = parse_record(text, line, fmt::format("{}:{}", path, line));
    if (!record.source.empty()) records.push_back(std::move(record));
  }
  if (lines.last() > reader.line_number()) {
    fail("--lines: line {} was asked for, {} has {}", lines.last(), path, reader.line_number());
  }
  if (records.empty()) fail("{} has no sentence to draw", path);
  return records;
}

}  // namespace heed
