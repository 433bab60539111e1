#include "serve/framing.h"

#include <strings.h>

#include <algorithm>
#include <string>

#include "base/numbers.h"
#include "serve/http_error.h"

namespace heed::serve {
namespace {

constexpr const char* kLength = "Content-Length";
constexpr const char* kCoding = "Transfer-Encoding";
constexpr size_t kMostShown = 40;  // characters of a client's text shown in messages

int64_t read_length(const std::string& value) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (value.empty() || !std::all_of(value.begin(), value.end(), is_digit))
    refuse(400, "Content-Length must be a number of bytes, not '{}'", value.substr(0, kMostShown));
  const auto length = parse_int(value);
  if (!length) refuse(413, "Content-Length is larger than any body may be: send several requests");
  return *length;
}

void check_names(const httplib::Headers& headers) {
  for (const auto& [name, value] : headers)
    if (name.empty() || name.find_first_of(" \t") != std::string::npos)
      refuse(400, "a header's name has a space before its colon: leave it out");
}

}  // namespace

Framing framing_of(const httplib::Request& request) {
  check_names(request.headers);
  const size_t lengths = request.get_header_value_count(kLength);
  const size_t codings = request.get_header_value_count(kCoding);
  if (lengths > 1) refuse(400, "Content-Length is given {} times: give it once", lengths);
  if (codings > 1) refuse(400, "Transfer-Encoding is given {} times: give it once", codings);
  if (lengths > 0 && codings > 0)
    refuse(400, "Transfer-Encoding and Content-Length contradict each other: give one of them");
  if (lengths > 0) return {false, true, read_length(request.get_header_value(kLength))};
  if (codings == 0) return {};
  if (::strcasecmp(request.get_header_value(kCoding).c_str(), "chunked") != 0)
    refuse(501, "Transfer-Encoding must be chunked, not '{}'",
           request.get_header_value(kCoding).substr(0, kMostShown));
  return {true, false, 0};
}

}  // namespace heed::serve
