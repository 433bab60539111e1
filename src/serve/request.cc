#include "serve/request.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/nearest.h"
#include "serve/http_error.h"
#include "text/mend.h"

namespace heed::serve {
namespace {

using Json = nlohmann::json;

constexpr const char* kExample = R"({"text": "A dog runs."})";

// What stands in the body; nothing where the request leaves it to the server.
struct Given {
  int64_t most_count = 0;  // of beam and nbest: what the server allows
  std::optional<std::vector<std::string>> texts;
  std::optional<int64_t> beam, nbest;
  std::optional<bool> alignment, attention, words;
  std::optional<std::string> format;
};

std::vector<std::string> read_texts(const Json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  const auto is_text = [](const Json& item) { return item.is_string(); };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_text))
    refuse(400, "text must be a text in quotes or a list of them, as in {}", kExample);
  return value.get<std::vector<std::string>>();
}

// 5.0 is as whole as 5: some languages write no other numbers.
int64_t read_count(const std::string& key, const Json& value, int64_t most) {
  const bool is_whole = value.is_number() && std::trunc(value.get<double>()) == value.get<double>();
  if (!is_whole) refuse(400, "{} must be a whole number, as in \"{}\": 5", key, key);
  if (value < 1 || value > most)
    refuse(400, "{} must be from 1 to {}, which this server allows at most", key, most);
  return value.get<int64_t>();
}

bool read_flag(const std::string& key, const Json& value) {
  if (!value.is_boolean()) refuse(400, "{} must be true or false, without quotes", key);
  return value.get<bool>();
}

std::string read_format(const Json& value) {
  if (value != "text" && value != "json") refuse(400, R"(format must be "text" or "json")");
  return value.get<std::string>();
}

struct Key {
  const char* name;
  void (*read)(const std::string& name, const Json& value, Given& given);
};

const std::vector<Key>& keys() {
  using Name = const std::string&;
  static const std::vector<Key> table = {
      {"text", [](Name, const Json& value, Given& given) { given.texts = read_texts(value); }},
      {"beam", [](Name name, const Json& value,
                  Given& given) { given.beam = read_count(name, value, given.most_count); }},
      {"nbest", [](Name name, const Json& value,
                   Given& given) { given.nbest = read_count(name, value, given.most_count); }},
      {"alignment", [](Name name, const Json& value,
                       Given& given) { given.alignment = read_flag(name, value); }},
      {"attention", [](Name name, const Json& value,
                       Given& given) { given.attention = read_flag(name, value); }},
      {"words",
       [](Name name, const Json& value, Given& given) { given.words = read_flag(name, value); }},
      {"format", [](Name, const Json& value, Given& given) { given.format = read_format(value); }},
  };
  return table;
}

[[noreturn]] void refuse_key(const std::string& name) {
  std::vector<std::string> names;
  for (const Key& key : keys()) names.emplace_back(key.name);
  const std::string near = nearest_name(name, names);
  if (!near.empty()) refuse(400, "unknown key '{}' (did you mean '{}'?)", name, near);
  refuse(400, "unknown key '{}': there are {}", name, fmt::join(names, ", "));
}

Json parse_body(std::string body) {
  mend_line(body);
  std::set<std::string> names;
  // JSON leaves open which of two values holds, so neither may.
  const auto check_names = [&names](int depth, Json::parse_event_t event, Json& value) {
    if (depth == 1 && event == Json::parse_event_t::key &&
        !names.insert(value.get<std::string>()).second)
      refuse(400, "{} is given twice: give it once", value.get<std::string>());
    return true;
  };
  try {
    return Json::parse(body, check_names);
  } catch (const Json::parse_error& error) {
    const std::string text = error.what();  // "[json.exception.parse_error.101] parse error at ..."
    const size_t begin = text.find("] ");
    refuse(400, "the body is no JSON ({}): send an object as {}",
           begin == std::string::npos ? text : text.substr(begin + 2), kExample);
  } catch (const Json::out_of_range&) {
    refuse(400, "the body has a number that is out of range: send an object as {}", kExample);
  }
}

Given read_body(std::string body, int64_t most_count) {
  const Json object = parse_body(std::move(body));
  if (!object.is_object()) refuse(400, "the body must be a JSON object, as {}", kExample);
  Given given;
  given.most_count = most_count;
  for (const auto& [name, value] : object.items()) {
    const auto is_it = [&key_name = name](const Key& key) { return key_name == key.name; };
    const auto key = std::find_if(keys().begin(), keys().end(), is_it);
    if (key == keys().end()) refuse_key(name);
    key->read(name, value, given);
  }
  if (!given.texts) refuse(400, "text is missing: send an object as {}", kExample);
  return given;
}

void choose_search(const Given& given, const RequestRules& rules, SearchVariant& search) {
  search.nbest = given.nbest.value_or(rules.nbest);
  search.beam = rules.sampling ? search.nbest : given.beam.value_or(rules.beam);
  if (rules.sampling && given.beam)
    refuse(400, "this server draws its translations: leave out beam (nbest is how many it draws)");
  if (search.nbest > search.beam)
    refuse(400, "nbest {} needs a beam of at least {}; it is {}", search.nbest, search.nbest,
           search.beam);
}

void choose_shown(const Given& given, const RequestRules& rules, TranslateRequest& request) {
  request.everything = given.format == "json";
  request.alignment = given.alignment.value_or(false);
  request.attention = given.attention.value_or(false);
  request.words = given.words.value_or(false);
  const bool asked = request.alignment || request.attention;
  if (asked && !rules.has_attention)
    refuse(400, "this model has no attention: leave out alignment and attention");
  if (request.words && !asked && !request.everything)
    refuse(400, R"(words needs alignment, attention or "format": "json")");
  request.search.attention = asked || (request.everything && rules.has_attention);
}

}  // namespace

size_t TranslateRequest::sentences() const {
  size_t count = 0;
  for (const auto& lines : texts) count += lines.size();
  return count;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size() || lines.empty();) {
    const size_t end = text.find('\n', begin);
    std::string_view line = text.substr(begin, end == std::string_view::npos ? end : end - begin);
    if (end != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    if (end == std::string_view::npos) break;
    begin = end + 1;
  }
  return lines;
}

TranslateRequest parse_request(std::string body, const RequestRules& rules) {
  const Given given = read_body(std::move(body), rules.most_beam);
  TranslateRequest request;
  choose_search(given, rules, request.search);
  choose_shown(given, rules, request);
  for (const std::string& text : *given.texts) request.texts.push_back(lines_of(text));
  if (static_cast<int64_t>(request.sentences()) > rules.most_sentences)
    refuse(413, "{} sentences are too many for one request, which may have {}: send several",
           request.sentences(), rules.most_sentences);
  return request;
}

}  // namespace heed::serve
